import { Injectable } from '@nestjs/common';
import { type Changed, idColumn, RowImages, uuidIn } from '#persistence';
import { SystemDatabase } from '#system-database';
import { type Ending, Grant } from '../applications/grant.entity.js';

const ids = { org: idColumn('org'), grant: idColumn('grant'), user: idColumn('user') };

/** An approval with the name of its organization. */
export type ApprovedApplication = Grant & { organization: string };

/**
 * Approvals, above the organizations, because a token request does not yet know its organization. The grant's row is
 * the lock of its tokens: everything that issues, rotates or revokes takes it first, which prevents deadlocks and
 * races.
 */
@Injectable()
export class GrantsRepository {
  private readonly images: RowImages<Grant>;

  constructor(private readonly database: SystemDatabase) {
    this.images = new RowImages(database.dataSource, Grant);
  }

  async findLive(grantId: string): Promise<Grant | undefined> {
    const [row] = await this.database.rows(`select ${columns} from oauth_grants where id = $1 and revoked_at is null`, [
      uuidIn(grantId),
    ]);
    return row && readGrant(row);
  }

  /** The person's live approvals, in every organization. */
  async listLive(userId: string): Promise<ApprovedApplication[]> {
    const rows = await this.database.rows(
      `select g.*, o.name as organization from oauth_grants g join organizations o on o.id = g.org_id
        where g.user_id = $1 and g.revoked_at is null order by g.created_at desc, g.id`,
      [uuidIn(userId)],
    );
    return rows.map((row) => Object.assign(readGrant(row), { organization: row.organization as string }));
  }

  /** Locks the person's live approvals in the same order everywhere, to prevent deadlocks. */
  async lockLive(userId: string): Promise<void> {
    const text = 'select 1 from oauth_grants where user_id = $1 and revoked_at is null order by id for no key update';
    await this.database.rows(text, [uuidIn(userId)]);
  }

  /** Locks the approval that a token belongs to, if the token is known. It may have ended. */
  async lockByToken(tokenHash: Buffer): Promise<Grant | undefined> {
    const [row] = await this.database.rows(
      `select g.* from oauth_grants g join oauth_tokens t on t.org_id = g.org_id and t.grant_id = g.id
        where t.hash = $1 for no key update of g`,
      [tokenHash],
    );
    return row && readGrant(row);
  }

  /** Replaces the live approval of the same application, person and organization, if there is one. */
  async replace(grant: Grant): Promise<Changed<Grant> | undefined> {
    const [orgId, userId] = [uuidIn(grant.orgId), uuidIn(grant.userId)];
    await this.database.rows('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
      `oauth grant ${orgId} ${userId} ${grant.clientId}`,
    ]);
    const ended = await this.database.rows(
      `update oauth_grants set revoked_at = $4, revoked_because = 'replaced', version = version + 1, updated_at = $4
        where org_id = $1 and user_id = $2 and client_id = $3 and revoked_at is null returning ${this.images.columns}`,
      [orgId, userId, grant.clientId, grant.createdAt],
    );
    await this.database.insert(Grant, grant);
    return this.images.read(ended)[0];
  }

  /** Live approvals without a token that were given before that time, at most a thousand. */
  async listUnused(givenBefore: string): Promise<string[]> {
    const rows = await this.database.rows(
      `select g.id from oauth_grants g where g.revoked_at is null and g.created_at <= $1
          and not exists (select 1 from oauth_tokens t where t.org_id = g.org_id and t.grant_id = g.id)
        limit 1000`,
      [givenBefore],
    );
    return rows.map(({ id }) => ids.grant.from(id) as string);
  }

  /** Ends an approval and with it every token; undefined if it had already ended. */
  async revoke(grantId: string, because: Ending): Promise<Changed<Grant> | undefined> {
    const rows = await this.database.rows(
      `update oauth_grants set revoked_at = $2, revoked_because = $3, version = version + 1, updated_at = $2
        where id = $1 and revoked_at is null returning ${this.images.columns}`,
      [uuidIn(grantId), new Date().toISOString(), because],
    );
    return this.images.read(rows)[0];
  }
}

const columns = `org_id, id, client_id, client_name, verified, user_id, scopes, offline, audience, authenticated_at,
  authenticated_with, ask_before, last_used_at, last_used_from,
  revoked_at, revoked_because, version, created_at, updated_at`;

const readGrant = (row: Record<string, unknown>): Grant =>
  Object.assign(new Grant(), {
    orgId: ids.org.from(row.org_id) as string,
    id: ids.grant.from(row.id) as string,
    clientId: row.client_id,
    clientName: row.client_name,
    verified: row.verified,
    userId: ids.user.from(row.user_id) as string,
    scopes: row.scopes,
    offline: row.offline,
    audience: row.audience,
    authenticatedAt: row.authenticated_at,
    authenticatedWith: row.authenticated_with,
    askBefore: row.ask_before,
    lastUsedAt: row.last_used_at,
    lastUsedFrom: row.last_used_from,
    revokedAt: row.revoked_at,
    revokedBecause: row.revoked_because,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  });
