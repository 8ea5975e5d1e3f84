import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { type Claim, type ClaimedRows, type ClaimedTable, ClaimedTables } from '#jobs';
import type { Page } from '#operations';
import { Cursors, TenantDatabase, uuidIn, type Where } from '#persistence';
import type { ListWorkflowRuns } from './run.dto.js';
import { WorkflowRun } from './run.entity.js';

@Injectable()
export class RunsRepository {
  /** Each step renews the claim, and takes less time than a lease. */
  readonly claims: ClaimedTable;
  private readonly table: ClaimedRows<WorkflowRun>;

  constructor(
    private readonly database: TenantDatabase,
    tables: ClaimedTables,
    cursors: Cursors,
  ) {
    this.table = tables.rowsOf(WorkflowRun, cursors, {
      work: 'workflow-runs',
      table: 'workflow_runs',
      prefix: 'run',
      due: 'due_at',
      fence: 'claims',
      while: "status = 'running'",
      sets: `status = 'running', waits_for = null, wait_offset_minutes = null, version = version + 1, updated_at = $3`,
      leaseMs: 60_000,
    });
    this.claims = this.table.claims;
  }

  find(caller: Caller, runId: string, tail = ''): Promise<WorkflowRun | undefined> {
    return this.table.findOne(caller.orgId, this.visibleTo(caller).and('id = ?', uuidIn(runId)), tail);
  }

  /** For work that no request caused. */
  findAny(orgId: string, runId: string): Promise<WorkflowRun | undefined> {
    return this.table.findOne(orgId, this.table.where(orgId).and('id = ?', uuidIn(runId)));
  }

  list(caller: Caller, filters: ListWorkflowRuns): Promise<Page<WorkflowRun>> {
    const { workflowId, status, reservationId, from, to, limit, cursor, sort } = filters;
    const where = this.visibleTo(caller)
      .when(workflowId && uuidIn(workflowId), 'workflow_id = ?')
      .when(status, 'status = ?')
      .when(reservationId && uuidIn(reservationId), 'reservation_id = ?')
      .when(from, 'created_at >= ?::timestamptz')
      .when(to, 'created_at < ?::timestamptz');
    return this.table.page(caller.orgId, where, { limit, cursor, sort });
  }

  /** The unfinished runs of a workflow, locked in one order. */
  openOf(orgId: string, workflowId: string): Promise<WorkflowRun[]> {
    const where = this.table.where(orgId).and('workflow_id = ? and due_at is not null', uuidIn(workflowId));
    return this.table.find(orgId, where, 'order by id for no key update');
  }

  /** The unfinished runs that are about stays, locked in one order. */
  openOfStays(orgId: string, reservationIds: readonly string[]): Promise<WorkflowRun[]> {
    const where = this.table
      .where(orgId)
      .and('reservation_id = any(?::uuid[]) and due_at is not null', reservationIds.map(uuidIn));
    return this.table.find(orgId, where, 'order by id for no key update');
  }

  /** How often a workflow has run for the same subject since a given time. */
  async countSince(orgId: string, workflowId: string, subjectId: string, since: string): Promise<number> {
    const [row] = await this.database.rows(
      orgId,
      `select count(*)::integer as count from workflow_runs
        where org_id = $1 and workflow_id = $2 and subject_id = $3 and created_at > $4`,
      [uuidIn(orgId), uuidIn(workflowId), subjectId, since],
    );
    return row?.count as number;
  }

  /** Inserts the run; false if the same trigger has already started one. */
  insertOnce(run: WorkflowRun): Promise<boolean> {
    return this.table.insertUnlessThere(run);
  }

  update(run: WorkflowRun, changes: Partial<WorkflowRun>): Promise<WorkflowRun> {
    return this.table.update(run, changes);
  }

  /** Changes of its own to each run. */
  async updateEach(wanted: readonly { row: WorkflowRun; changes: Partial<WorkflowRun> }[]): Promise<void> {
    await this.table.updateEach(wanted);
  }

  /** The run while the claim is valid: it may have been cancelled since. */
  ofClaim(claim: Claim): Promise<WorkflowRun | undefined> {
    return this.table.ofClaim(claim);
  }

  /** Changes it in one transaction, if the claim is still valid. */
  settle<R>(claim: Claim, change: (run: WorkflowRun) => Promise<R>): Promise<R | undefined> {
    return this.table.settle(claim, change);
  }

  /** A credential that is limited to some properties sees the runs that are about one of them. */
  private visibleTo({ orgId, propertyIds }: Caller): Where {
    return this.table.where(orgId).when(propertyIds?.map(uuidIn), 'property_id = any(?::uuid[])');
  }
}
