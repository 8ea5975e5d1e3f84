import { Injectable } from '@nestjs/common';
import { uuidIn } from '#persistence';
import type { OAuthTokenKind } from '#regions';
import { SystemDatabase } from '#system-database';

export interface NewToken {
  hash: Buffer;
  kind: OAuthTokenKind;
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
   * Adds new tokens to their approval. A refresh token that exists, from a repeated refresh, is not changed: an access
   * token is issued with it, and is always new.
   *
   * @returns false if the approval has ended in the meantime.
   */
  async insert(grantId: string, tokens: readonly NewToken[]): Promise<boolean> {
    const inserted = await this.database.rows(
      `insert into oauth_tokens (hash, org_id, grant_id, kind, scope, audience, payload, parent, expires_at)
       select t.hash, g.org_id, g.id, t.kind, t.scope, g.audience, t.payload, t.parent, t.expires_at
         from unnest($2::bytea[], $3::text[], $4::text[], $5::jsonb[], $6::bytea[], $7::timestamptz[])
              t (hash, kind, scope, payload, parent, expires_at)
         join oauth_grants g on g.id = $1 and g.revoked_at is null
       on conflict do nothing returning 1`,
      [
        uuidIn(grantId),
        tokens.map(({ hash }) => hash),
        tokens.map(({ kind }) => kind),
        tokens.map(({ scope }) => scope),
        tokens.map(({ payload }) => JSON.stringify(payload)),
        tokens.map(({ parent }) => parent),
        tokens.map(({ expiresAt }) => expiresAt),
      ],
    );
    return inserted.length > 0;
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
