import { Injectable } from '@nestjs/common';
import { SystemDatabase } from '#system-database';
import { type CountedRequests, type LoggedRequest, minuteOf, oldestSlot } from './logged-request.js';

/** Writing this many as text takes a millisecond. */
const writtenAtOnce = 500;

/** The columns of `requests` and their types. Each is sent as a list, because reading JSON takes PostgreSQL twice as long. */
const columns: Record<keyof LoggedRequest, string> = {
  org_id: 'uuid',
  id: 'uuid',
  slot: 'smallint',
  request_id: 'text',
  at: 'timestamptz',
  door: 'text',
  operation: 'text',
  status: 'smallint',
  code: 'text',
  credential_kind: 'text',
  credential_id: 'text',
  application_id: 'uuid',
  member_id: 'uuid',
  milliseconds: 'double precision',
  bytes: 'integer',
  replayed: 'boolean',
  dry_run: 'boolean',
  sampled: 'boolean',
  invalid_fields: 'text',
};
const names = Object.keys(columns) as (keyof LoggedRequest)[];

/** Writes what all organizations requested, and forgets it. */
@Injectable()
export class RequestLogRepository {
  constructor(private readonly database: SystemDatabase) {}

  async write(requests: readonly LoggedRequest[], counts: readonly CountedRequests[]): Promise<void> {
    await this.database.transaction(async () => {
      // No commit waits for the disk, so a crash of the database may lose the last moments.
      await this.database.write('set local synchronous_commit = off', []);
      for (let from = 0; from < requests.length; from += writtenAtOnce)
        await this.database.write(insertion, listsOf(requests.slice(from, from + writtenAtOnce)));
      await this.database.write(addition, [JSON.stringify(counts)]);
      const minutes = [...Map.groupBy(counts, ({ at }) => minuteOf(at))].sort(([a], [b]) => a.localeCompare(b));
      for (const [, ofMinute] of minutes) await this.database.write(peaks, [JSON.stringify(ofMinute)]);
    });
  }

  /** Empties the partition whose requests are not shown any more, before its turn comes again. */
  async forgetOldest(): Promise<void> {
    const table = `requests_${oldestSlot(Date.now())}`;
    const [size] = await this.database.rows('select pg_relation_size($1::regclass) as bytes', [table]);
    if (size?.bytes !== 0) await this.database.transaction(() => this.database.write(`truncate ${table}`, []));
  }
}

const insertion = `
  insert into requests (${names.join(', ')})
  select ${names.map((name) => (name === 'invalid_fields' ? `${name}::text[]` : name)).join(', ')}
    from unnest(${names.map((name, index) => `$${index + 1}::${columns[name]}[]`).join(', ')}) as r (${names.join(', ')})`;

/**
 * The values of each column as PostgreSQL's text of a list. pg would write those of `invalid_fields` as a matrix, whose rows
 * must have one length.
 */
const listsOf = (requests: readonly LoggedRequest[]): string[] =>
  names.map((name) => listOf(requests.map((request) => request[name])));

const listOf = (values: readonly (Value | string[])[]): string =>
  `{${values.map((value) => elementOf(Array.isArray(value) ? listOf(value) : value)).join(',')}}`;

type Value = string | number | boolean | null;

function elementOf(value: Value): string {
  if (value === null) return 'NULL';
  return typeof value === 'string' ? `"${value.replace(/["\\]/g, '\\$&')}"` : String(value);
}

/** Every process adds in the same order, so that they cannot deadlock. */
const addition = `
  insert into request_usage as u
    (org_id, per, at, credential_kind, credential_id, operation, requests, errors, rate_limited, milliseconds)
  select c.org_id, p.per, date_trunc(p.per, c.at), min(c.credential_kind), c.credential_id, c.operation,
         sum(c.requests), sum(c.errors), sum(c.rate_limited), sum(c.milliseconds)
    from json_populate_recordset(null::request_usage, $1::json) c cross join (values ('hour'), ('day')) as p (per)
   group by c.org_id, p.per, date_trunc(p.per, c.at), c.credential_id, c.operation
   order by 1, 2, 3, 5, 6
  on conflict (org_id, per, at, credential_id, operation) do update set
    requests = u.requests + excluded.requests, errors = u.errors + excluded.errors,
    rate_limited = u.rate_limited + excluded.rate_limited, milliseconds = u.milliseconds + excluded.milliseconds`;

/**
 * The newest minute and the one before it are still counted, because a process writes the end of a minute when another
 * has counted in the next one already.
 */
const peaks = `
  insert into request_peaks as k (org_id, per, at, credential_id, minute, requests, peak)
  select c.org_id, p.per, date_trunc(p.per, min(c.at)), c.credential_id, date_trunc('minute', min(c.at)),
         sum(c.requests), sum(c.requests)
    from json_populate_recordset(null::request_usage, $1::json) c cross join (values ('hour'), ('day')) as p (per)
   group by c.org_id, p.per, c.credential_id
   order by 1, 2, 3, 4
  on conflict (org_id, per, at, credential_id) do update set
    minute = greatest(k.minute, excluded.minute),
    requests = case when excluded.minute < k.minute then k.requests else @counted end,
    requests_before = case
      when excluded.minute = k.minute - @minute then @counted
      when excluded.minute = k.minute + @minute then k.requests
      when excluded.minute > k.minute then 0
      else k.requests_before end,
    peak = greatest(k.peak, @counted)`
  .replaceAll(
    '@counted',
    `excluded.requests + case excluded.minute
      when k.minute then k.requests when k.minute - @minute then k.requests_before else 0 end`,
  )
  .replaceAll('@minute', `interval '1 minute'`);
