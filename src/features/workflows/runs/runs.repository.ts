import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { dueInTurns } from '#jobs';
import type { Page } from '#operations';
import { Cursors, recordOf, Table, TenantDatabase, uuidIn, type Where } from '#persistence';
import { SystemDatabase } from '#system-database';
import type { ListWorkflowRuns } from '../../../workflows/runs/run.dto.js';
import { WorkflowRun } from './run.entity.js';

/** A run that is due. */
export interface DueRun {
  orgId: string;
  id: string;
}

/** A run that a process has to itself; a later claim has a higher number. */
export interface RunClaim {
  orgId: string;
  runId: string;
  number: number;
}

/** Looked for at once; more are found as soon as one of them is done. */
const dueRuns = dueInTurns({ table: 'workflow_runs', since: 'due_at' });

@Injectable()
export class RunsRepository {
  private readonly table: Table<WorkflowRun>;

  constructor(
    private readonly database: TenantDatabase,
    private readonly system: SystemDatabase,
    cursors: Cursors,
  ) {
    this.table = new Table(database, WorkflowRun, cursors);
  }

  find(caller: Caller, runId: string, tail = ''): Promise<WorkflowRun | undefined> {
    return this.table.findOne(caller.orgId, this.visibleTo(caller).and('id = ?', uuidIn(runId)), tail);
  }

  /** For work that no request asked for. */
  findAny(orgId: string, runId: string): Promise<WorkflowRun | undefined> {
    return this.table.findOne(orgId, this.table.where(orgId).and('id = ?', uuidIn(runId)));
  }

  list(caller: Caller, filters: ListWorkflowRuns): Promise<Page<WorkflowRun>> {
    const { workflowId, status, reservationId, limit, cursor, sort } = filters;
    const where = this.visibleTo(caller)
      .when(workflowId && uuidIn(workflowId), 'workflow_id = ?')
      .when(status, 'status = ?')
      .when(reservationId && uuidIn(reservationId), 'reservation_id = ?');
    return this.table.page(caller.orgId, where, { limit, cursor, sort });
  }

  /** The runs under way of a workflow, locked in one order. */
  openOf(orgId: string, workflowId: string): Promise<WorkflowRun[]> {
    const where = this.table.where(orgId).and('workflow_id = ? and due_at is not null', uuidIn(workflowId));
    return this.table.find(orgId, where, 'order by id for no key update');
  }

  /** The runs under way that are about stays, locked in one order. */
  openOfStays(orgId: string, reservationIds: readonly string[]): Promise<WorkflowRun[]> {
    const where = this.table
      .where(orgId)
      .and('reservation_id = any(?::uuid[]) and due_at is not null', reservationIds.map(uuidIn));
    return this.table.find(orgId, where, 'order by id for no key update');
  }

  /** How often a workflow was run about the same thing since some time. */
  async countSince(orgId: string, workflowId: string, subjectId: string, since: string): Promise<number> {
    const [row] = await this.database.rows(
      orgId,
      `select count(*)::integer as count from workflow_runs
        where org_id = $1 and workflow_id = $2 and subject_id = $3 and created_at > $4`,
      [uuidIn(orgId), uuidIn(workflowId), subjectId, since],
    );
    return row?.count as number;
  }

  /** Inserts the run; false where what triggered it has had the workflow run already. */
  insertOnce(run: WorkflowRun): Promise<boolean> {
    return this.table.insertUnlessThere(run);
  }

  update(run: WorkflowRun, changes: Partial<WorkflowRun>): Promise<WorkflowRun> {
    return this.table.update(run, changes);
  }

  /** What is due over all organizations, in turn, and what processes that are gone have left. */
  async due(now: string): Promise<DueRun[]> {
    return (await this.system.rows(dueRuns, [now])).map(recordOf('run'));
  }

  /** Undefined where another has it, or it is not due any more. */
  async claim({ orgId, id }: DueRun, now: string, until: string): Promise<RunClaim | undefined> {
    const [row] = await this.database.rows(
      orgId,
      `update workflow_runs
          set status = 'running', claims = claims + 1, due_at = $4, waits_for = null, wait_offset_minutes = null,
              version = version + 1, updated_at = $3
        where org_id = $1 and id = $2 and due_at <= $3 returning claims`,
      [uuidIn(orgId), uuidIn(id), now, until],
    );
    return row && { orgId, runId: id, number: row.claims as number };
  }

  /** The run, as long as the claim counts; it may have been cancelled meanwhile. */
  ofClaim({ orgId, runId, number }: RunClaim, tail = ''): Promise<WorkflowRun | undefined> {
    const where = this.table.where(orgId).and('id = ?', uuidIn(runId)).and('claims = ?', number);
    return this.table.findOne(orgId, where, tail);
  }

  /** A credential that is limited to some properties sees the runs that are about one of them. */
  private visibleTo({ orgId, propertyIds }: Caller): Where {
    return this.table.where(orgId).when(propertyIds?.map(uuidIn), 'property_id = any(?::uuid[])');
  }
}
