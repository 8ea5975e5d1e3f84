import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { DueTimer } from '#jobs';
import { SystemDatabase } from '#system-database';

const minuteMs = 60_000;
const dayMs = 86_400_000;
/** Rows that one statement deletes, so that none holds its locks for long. */
const batchSize = 1_000;
/** For how long an application that nobody approved stays registered. */
const unusedClientMs = 90 * dayMs;

/**
 * Deletes what has expired; nothing relies on it, for whatever has expired is not looked at any more. Used refresh
 * tokens stay until they would have expired, so that their reuse is noticed.
 */
@Injectable()
export class OAuthExpiry implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly timer = new DueTimer(
    'expired authorizations',
    minuteMs,
    () => this.sweep(),
    new Logger(OAuthExpiry.name),
  );

  constructor(private readonly database: SystemDatabase) {}

  onApplicationBootstrap(): void {
    this.timer.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.timer.stop();
  }

  async sweep(): Promise<void> {
    const now = Date.now();
    await this.deleteExpired('oauth_tokens', ago(now, 0));
    await this.deleteExpired('oauth_interactions', ago(now, 0));
    await this.database.rows('delete from sliding_windows where ends_at <= $1', [ago(now, 0)]);
    await this.endUnusedGrants(ago(now, 0), ago(now, dayMs));
    await this.deleteUnusedClients(ago(now, unusedClientMs));
  }

  private async deleteExpired(table: 'oauth_tokens' | 'oauth_interactions', before: string): Promise<void> {
    const text = `delete from ${table} where hash in (
      select hash from ${table} where expires_at <= $1 order by expires_at limit ${batchSize}) returning 1`;
    let deleted: unknown[];
    do deleted = await this.database.rows(text, [before]);
    while (deleted.length === batchSize);
  }

  /** An approval without any token left can do nothing any more; young ones may be waiting for their code. */
  private async endUnusedGrants(now: string, approvedBefore: string): Promise<void> {
    await this.database.rows(
      `update oauth_grants g set revoked_at = $1, revoked_because = 'unused', version = version + 1, updated_at = $1
        where revoked_at is null and created_at <= $2
          and not exists (select 1 from oauth_tokens t where t.org_id = g.org_id and t.grant_id = g.id)`,
      [now, approvedBefore],
    );
  }

  private async deleteUnusedClients(before: string): Promise<void> {
    await this.database.rows(
      `delete from oauth_clients c where not verified and created_at <= $1
        and not exists (select 1 from oauth_grants g where g.client_id = c.id and coalesce(g.revoked_at, 'infinity') > $1)`,
      [before],
    );
  }
}

const ago = (now: number, milliseconds: number): string => new Date(now - milliseconds).toISOString();
