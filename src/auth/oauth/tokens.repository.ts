import { Injectable } from '@nestjs/common';
import { uuidIn } from '#persistence';
import type { OAuthTokenKind } from '#regions';
import { SystemDatabase } from '#system-database';

export interface NewToken {
  hash: Buffer;
  kind: OAuthTokenKind;
  grantId: string;
  scope: string;
  payload: Record<string, unknown>;
  /** The hash of the refresh token that this one replaces. */
  parent: Buffer | null;
  expiresAt: string;
}

export interface StoredToken {
  payload: Record<string, unknown>;
  /** Used, and not merely by a client that repeats a refresh after losing the response. */
  isSpent: boolean;
}

/**
 * How long a refresh may be repeated, because the first response may have been lost (specification, "an immediate retry
 * of the same refresh").
 */
const graceMs = 10_000;

/** A used refresh token is spent when the grace period is over or its successor has been used. */
const spent = `
  t.consumed_at is not null and (
    t.kind <> 'rt' or t.consumed_at <= $3
    or exists (select 1 from oauth_tokens s where s.parent = t.hash and s.consumed_at is not null))`;

/** Codes and tokens. Only their hashes are kept. */
@Injectable()
export class TokensRepository {
  constructor(private readonly database: SystemDatabase) {}

  /**
   * Adds a token to its approval. An existing token, from a repeated refresh, is not changed.
   *
   * @returns false if the approval has ended in the meantime.
   */
  async insertOnce({ hash, kind, grantId, scope, payload, parent, expiresAt }: NewToken): Promise<boolean> {
    const [inserted] = await this.database.rows(
      `insert into oauth_tokens (hash, org_id, grant_id, kind, scope, audience, payload, parent, expires_at)
       select $1, org_id, id, $3, $4, audience, $5, $6, $7 from oauth_grants where id = $2 and revoked_at is null
       on conflict do nothing returning 1`,
      [hash, uuidIn(grantId), kind, scope, JSON.stringify(payload), parent, expiresAt],
    );
    return inserted !== undefined || (await this.find(kind, hash)) !== undefined;
  }

  async find(kind: OAuthTokenKind, hash: Buffer): Promise<StoredToken | undefined> {
    const [row] = await this.database.rows(
      `select t.payload, (${spent}) as spent from oauth_tokens t where t.hash = $1 and t.kind = $2`,
      [hash, kind, graceStart()],
    );
    return row && { payload: row.payload as StoredToken['payload'], isSpent: row.spent as boolean };
  }

  /** @returns false if it is spent. */
  async consume(kind: OAuthTokenKind, hash: Buffer): Promise<boolean> {
    const rows = await this.database.rows(
      `update oauth_tokens t set consumed_at = coalesce(t.consumed_at, $4)
        where t.hash = $1 and t.kind = $2 and not (${spent}) returning 1`,
      [hash, kind, graceStart(), new Date().toISOString()],
    );
    return rows.length > 0;
  }
}

const graceStart = (): string => new Date(Date.now() - graceMs).toISOString();
