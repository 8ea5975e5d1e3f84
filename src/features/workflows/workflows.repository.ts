import { Injectable } from '@nestjs/common';
import type { Page } from '#operations';
import { Cursors, idColumn, Table, TenantDatabase, uuidIn, type Where } from '#persistence';
import { StepSecrets } from './step-secrets.service.js';
import type { ListWorkflows, WorkflowVersionView } from './workflow.dto.js';
import { Workflow, WorkflowVersion } from './workflow.entity.js';

const sortable = {
  updatedAt: { asc: 'updated_at', desc: 'updated_at' },
  name: { asc: 'name', desc: 'name' },
};
const ids = { member: idColumn('member') };
const mostVersionsShown = 50;

/** A workflow with its active version. */
export interface ActiveWorkflow {
  workflow: Workflow;
  version: WorkflowVersion;
}

interface RunOfVersion {
  workflowId: string;
  workflowVersion: number;
}

/** The secrets of steps are sealed where versions are stored; everything else works with the secrets themselves. */
@Injectable()
export class WorkflowsRepository {
  private readonly workflows: Table<Workflow>;
  private readonly versions: Table<WorkflowVersion>;

  constructor(
    private readonly database: TenantDatabase,
    private readonly secrets: StepSecrets,
    cursors: Cursors,
  ) {
    this.workflows = new Table(database, Workflow, cursors);
    this.versions = new Table(database, WorkflowVersion, cursors);
  }

  find(orgId: string, workflowId: string, tail = ''): Promise<Workflow | undefined> {
    return this.workflows.findOne(orgId, this.workflows.where(orgId).and('id = ?', uuidIn(workflowId)), tail);
  }

  /**
   * The active ones among these, kept active until the transaction ends. They are locked in one order, and before the
   * feed.
   */
  async lock(orgId: string, workflowIds: readonly string[]): Promise<Set<string>> {
    if (workflowIds.length === 0) return new Set();
    const where = this.workflows.where(orgId).and('id = any(?::uuid[])', [...new Set(workflowIds)].map(uuidIn));
    const locked = await this.workflows.find(orgId, where, 'order by id for no key update');
    return new Set(locked.flatMap(({ id, status }) => (status === 'active' ? [id] : [])));
  }

  /** The active workflows with a kind of trigger, each with its active version. */
  async active(orgId: string, triggerKind: Workflow['triggerKind']): Promise<ActiveWorkflow[]> {
    const isActive = `org_id = ? and status = 'active' and trigger_kind = ?`;
    const inForce = `(workflow_id, number) in (select id, active_version from workflows where ${isActive})`;
    const values = [uuidIn(orgId), triggerKind] as const;
    const versions = await this.versionsWhere(orgId, this.versions.where(orgId).and(inForce, ...values));
    const workflows = await this.workflows.find(orgId, this.workflows.where(orgId).and(isActive, ...values));
    return workflows.flatMap((workflow) => {
      const version = versions.find(
        ({ workflowId, number }) => workflowId === workflow.id && number === workflow.activeVersion,
      );
      return version ? [{ workflow, version }] : [];
    });
  }

  async findVersion(orgId: string, workflowId: string, number: number): Promise<WorkflowVersion | undefined> {
    const where = this.versions.where(orgId).and('workflow_id = ?', uuidIn(workflowId)).and('number = ?', number);
    return (await this.versionsWhere(orgId, where))[0];
  }

  /** The versions that these runs perform. */
  async findVersions(orgId: string, runs: readonly RunOfVersion[]): Promise<WorkflowVersion[]> {
    if (runs.length === 0) return [];
    const workflowIds = runs.map(({ workflowId }) => uuidIn(workflowId));
    const numbers = runs.map(({ workflowVersion }) => workflowVersion);
    const these = '(workflow_id, number) in (select * from unnest(?::uuid[], ?::integer[]))';
    return await this.versionsWhere(orgId, this.versions.where(orgId).and(these, workflowIds, numbers));
  }

  async listVersions(orgId: string, workflowId: string): Promise<WorkflowVersionView[]> {
    const rows = await this.database.rows(
      orgId,
      `select number, origin, created_by, created_at from workflow_versions
        where org_id = $1 and workflow_id = $2 order by number desc limit ${mostVersionsShown}`,
      [uuidIn(orgId), uuidIn(workflowId)],
    );
    return rows.map((row) => ({
      workflowVersion: row.number as number,
      origin: row.origin as WorkflowVersionView['origin'],
      createdBy: ids.member.from(row.created_by) as string,
      createdAt: row.created_at as string,
    }));
  }

  list(orgId: string, filters: ListWorkflows): Promise<Page<Workflow>> {
    const { status, triggerKind, updatedSince, limit, cursor, sort } = filters;
    const where = this.workflows
      .where(orgId)
      .when(status, 'status = ?')
      .when(triggerKind, 'trigger_kind = ?')
      .since(updatedSince);
    if (status === undefined && updatedSince === undefined) where.and(`status <> 'archived'`);
    return this.workflows.page(orgId, where, { limit, cursor, sort }, sortable);
  }

  async insert(workflow: Workflow, version: WorkflowVersion): Promise<void> {
    await this.workflows.insert(workflow);
    await this.addVersion(version);
  }

  async addVersion(version: WorkflowVersion): Promise<void> {
    await this.versions.insert({ ...version, steps: this.secrets.seal(version.steps, version) });
  }

  update(workflow: Workflow, changes: Partial<Workflow>): Promise<Workflow> {
    return this.workflows.update(workflow, changes);
  }

  private async versionsWhere(orgId: string, where: Where): Promise<WorkflowVersion[]> {
    const versions = await this.versions.find(orgId, where);
    for (const version of versions) version.steps = this.secrets.open(version.steps, version);
    return versions;
  }
}
