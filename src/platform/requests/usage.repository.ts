import { Injectable } from '@nestjs/common';
import { type Row, TenantDatabase, uuidIn, Where } from '#persistence';
import { dayMs } from './logged-request.js';
import type { GetUsage, UsageView } from './request.dto.js';

/** How long the counts of an hour and of a day are kept. */
export const usageKeptMs = { hour: 90 * dayMs, day: 400 * dayMs };

const readUsage = (row: Row): UsageView => ({
  at: row.at as string,
  credential: {
    kind: row.credential_kind as UsageView['credential']['kind'],
    id: row.credential_id as string,
  },
  operation: (row.operation as string) || null,
  requests: row.requests as number,
  errors: row.errors as number,
  rateLimited: row.rate_limited as number,
  milliseconds: row.milliseconds as number,
  peakPerMinute: row.peak as number | null,
});

/** How many requests there were, by hour and by day. */
@Injectable()
export class UsageRepository {
  constructor(private readonly database: TenantDatabase) {}

  /** @param after the last row of the page before: its time, and its credential and operation. */
  async newest(
    orgId: string,
    { per = 'hour', from, to, credentialId, operation }: GetUsage,
    after: readonly [string | null, string] | undefined,
    limit: number,
  ): Promise<UsageView[]> {
    const where = new Where()
      .and('org_id = ?', uuidIn(orgId))
      .and('per = ?', per)
      .and('at > ?::timestamptz', new Date(Date.now() - usageKeptMs[per]).toISOString())
      .when(from, 'at >= ?::timestamptz')
      .when(to, 'at < ?::timestamptz')
      .when(credentialId, 'credential_id = ?')
      .when(operation, 'operation = ?');
    if (after) {
      const [at, rest] = after;
      const [credential, name] = rest.split(' ');
      where.and('(at, credential_id, operation) < (?::timestamptz, ?, ?)', at, credential, name);
    }
    const text = `select u.*, (select k.peak from request_peaks k where k.org_id = u.org_id and k.per = u.per
        and k.at = u.at and k.credential_id = u.credential_id) as peak
      from request_usage u ${where.text}
      order by at desc, credential_id desc, operation desc limit ${limit}`;
    return (await this.database.rows(orgId, text, where.values, true)).map(readUsage);
  }
}
