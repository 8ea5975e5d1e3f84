import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { type Claim, type ClaimedRows, type ClaimedTable, ClaimedTables } from '#jobs';
import type { Page } from '#operations';
import { Cursors, uuidIn, type Where } from '#persistence';
import type { ListModelJobs } from './model-job.dto.js';
import { ModelJob } from './model-job.entity.js';

@Injectable()
export class ModelJobsRepository {
  readonly claims: ClaimedTable;
  private readonly table: ClaimedRows<ModelJob>;

  constructor(tables: ClaimedTables, cursors: Cursors) {
    this.table = tables.rowsOf(ModelJob, cursors, {
      work: 'model-jobs',
      table: 'model_jobs',
      prefix: 'job',
      due: 'due_at',
      fence: 'attempts',
      while: "status = 'running'",
      sets: `status = 'running', started_at = coalesce(started_at, $3), version = version + 1, updated_at = $3`,
      leaseMs: 10_000,
      renewal: { everyMs: 2_000 },
    });
    this.claims = this.table.claims;
  }

  /** @param operations whose jobs the caller may see. */
  find(caller: Caller, operations: readonly string[], jobId: string, tail = ''): Promise<ModelJob | undefined> {
    return this.table.findOne(caller.orgId, this.visibleTo(caller, operations).and('id = ?', uuidIn(jobId)), tail);
  }

  list(caller: Caller, operations: readonly string[], filters: ListModelJobs): Promise<Page<ModelJob>> {
    const { operation, status, propertyId, from, to, ...request } = filters;
    const where = this.visibleTo(caller, operations)
      .when(operation, 'operation = ?')
      .when(status, 'status = ?')
      .when(propertyId && uuidIn(propertyId), 'property_id = ?')
      .when(from, 'created_at >= ?::timestamptz')
      .when(to, 'created_at < ?::timestamptz');
    return this.table.page(caller.orgId, where, request);
  }

  insert(job: ModelJob): Promise<ModelJob> {
    return this.table.insert(job);
  }

  update(job: ModelJob, changes: Partial<ModelJob>): Promise<ModelJob> {
    return this.table.update(job, changes);
  }

  /** The job while the claim is valid. */
  ofClaim(claim: Claim): Promise<ModelJob | undefined> {
    return this.table.ofClaim(claim);
  }

  /** Changes it in one transaction, if the claim is still valid. */
  settle<R>(claim: Claim, change: (job: ModelJob) => Promise<R>): Promise<R | undefined> {
    return this.table.settle(claim, change);
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
