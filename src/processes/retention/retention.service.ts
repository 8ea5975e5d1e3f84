import { Injectable } from '@nestjs/common';
import { Jobs, type DueJob, schedules, type Work } from '#jobs';
import { SystemDatabase } from '#system-database';
import { GrantsService } from '../../auth/oauth/grants.service.js';
import { RequestLogRepository } from '../../platform/requests/request-log.repository.js';
import { type Rule, rules } from './retention.rules.js';

/** Rows that one statement deletes, so that none holds its locks for long. */
const batchSize = 1_000;
const restMs = 10 * 60_000;
const name = 'retention';
const sweep = [{ id: 'sweep' }];

/** Every ten minutes, on one of the worker processes, deletes expired rows and ends unused approvals. */
@Injectable()
export class RetentionService implements Work {
  readonly name = name;
  readonly lane = schedules;
  readonly soonest = `coalesce((select due_at from schedules where name = '${name}'), $1::timestamptz)`;

  constructor(
    private readonly database: SystemDatabase,
    private readonly grants: GrantsService,
    private readonly requests: RequestLogRepository,
    jobs: Jobs,
  ) {
    jobs.take(this);
  }

  async due(now: string): Promise<DueJob[]> {
    const waiting = await this.database.rows('select 1 from schedules where name = $1 and due_at > $2', [
      this.name,
      now,
    ]);
    return waiting.length > 0 ? [] : sweep;
  }

  async perform(_: DueJob, signal: AbortSignal): Promise<void> {
    if (!(await this.claim())) return;
    for (const rule of rules) await this.enforce(rule, signal);
    await this.requests.forgetOldest();
    await this.grants.endUnused(signal);
  }

  /** A sweep that is interrupted by the exit of its process continues with the next one. */
  private async claim(): Promise<boolean> {
    const now = Date.now();
    const claimed = await this.database.rows(
      `insert into schedules (name, due_at) values ($1, $2)
       on conflict (name) do update set due_at = excluded.due_at where schedules.due_at <= $3
       returning name`,
      [this.name, new Date(now + restMs).toISOString(), new Date(now).toISOString()],
    );
    return claimed.length > 0;
  }

  private async enforce({ table, where, afterMs }: Rule, signal: AbortSignal): Promise<void> {
    const text = `delete from ${table} where ctid = any(array(
        select t.ctid from ${table} t where ${where} limit ${batchSize} for update of t skip locked))
      returning 1`;
    const before = new Date(Date.now() - afterMs).toISOString();
    for (let count = batchSize; count === batchSize && !signal.aborted;) {
      count = (await this.database.rows(text, [before])).length;
    }
  }
}
