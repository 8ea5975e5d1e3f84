import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { dueInTurns } from '#jobs';
import type { Page } from '#operations';
import { Cursors, recordOf, Table, TenantDatabase, uuidIn, type Where } from '#persistence';
import { SystemDatabase } from '#system-database';
import type { ListModelJobs } from '../../models/model-job.dto.js';
import { ModelJob } from './model-job.entity.js';

/** A job that is to be begun. */
const dueJobs = dueInTurns({ table: 'model_jobs', since: 'due_at' });

export interface DueModelJob {
  orgId: string;
  id: string;
}

/** One begin of a job; a later one has a higher number. */
export interface Attempt extends DueModelJob {
  number: number;
}

@Injectable()
export class ModelJobsRepository {
  private readonly table: Table<ModelJob>;

  constructor(
    private readonly database: TenantDatabase,
    private readonly system: SystemDatabase,
    cursors: Cursors,
  ) {
    this.table = new Table(database, ModelJob, cursors);
  }

  /** @param operations those whose jobs the caller may see. */
  find(caller: Caller, operations: readonly string[], jobId: string, tail = ''): Promise<ModelJob | undefined> {
    return this.table.findOne(caller.orgId, this.visibleTo(caller, operations).and('id = ?', uuidIn(jobId)), tail);
  }

  list(caller: Caller, operations: readonly string[], filters: ListModelJobs): Promise<Page<ModelJob>> {
    const { operation, status, propertyId, ...request } = filters;
    const where = this.visibleTo(caller, operations)
      .when(operation, 'operation = ?')
      .when(status, 'status = ?')
      .when(propertyId && uuidIn(propertyId), 'property_id = ?');
    return this.table.page(caller.orgId, where, request);
  }

  insert(job: ModelJob): Promise<ModelJob> {
    return this.table.insert(job);
  }

  update(job: ModelJob, changes: Partial<ModelJob>): Promise<ModelJob> {
    return this.table.update(job, changes);
  }

  /** What is due over all organizations, in turn: what is queued, and what a process has left. */
  async due(now: string): Promise<DueModelJob[]> {
    return (await this.system.rows(dueJobs, [now])).map(recordOf('job'));
  }

  /** Claims a job that is due until the lease is over; undefined where it was begun meanwhile, or has ended. */
  begin({ orgId, id }: DueModelJob, now: string, until: string): Promise<ModelJob | undefined> {
    return this.database.transaction(orgId, async () => {
      const where = this.table.where(orgId).and('id = ?', uuidIn(id)).and('due_at <= ?', now);
      const job = await this.table.findOne(orgId, where, 'for no key update');
      if (!job) return undefined;
      const [attempts, startedAt] = [job.attempts + 1, job.startedAt ?? now];
      await this.table.update(job, { status: 'running', attempts, dueAt: until, startedAt });
      return job;
    });
  }

  /** @returns false where the attempt does not count any more: the job was cancelled or begun anew. */
  async prolong({ orgId, id, number }: Attempt, until: string): Promise<boolean> {
    const rows = await this.database.rows(
      orgId,
      `update model_jobs set due_at = $4
        where org_id = $1 and id = $2 and attempts = $3 and status = 'running' returning id`,
      [uuidIn(orgId), uuidIn(id), number, until],
    );
    return rows.length > 0;
  }

  /** The job, as long as the attempt counts. */
  ofAttempt({ orgId, id, number }: Attempt, tail = ''): Promise<ModelJob | undefined> {
    const where = this.table.where(orgId).and('id = ?', uuidIn(id)).and('attempts = ?', number);
    return this.table.findOne(orgId, where.and('status = ?', 'running'), tail);
  }

  private visibleTo({ orgId, propertyIds, memberId }: Caller, operations: readonly string[]): Where {
    const where = this.table.where(orgId).and('operation = any(?::text[])', operations);
    if (!propertyIds) return where;
    return where.and(
      '(property_id = any(?::uuid[]) or (property_id is null and requested_by = ?))',
      propertyIds.map(uuidIn),
      uuidIn(memberId),
    );
  }
}
