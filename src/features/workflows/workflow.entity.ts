import { Column, Entity, PrimaryColumn } from 'typeorm';
import { idColumn, newId } from '#persistence';
import type { WorkflowConditions } from './definition.dto.js';
import type { Definition, Step } from './definition.js';
import type { Trigger, TriggerKind } from './trigger.dto.js';
import type { VersionOrigin, WorkflowStatus, WorkflowSummary } from './workflow.dto.js';

@Entity('workflows')
export class Workflow implements WorkflowSummary {
  @PrimaryColumn('uuid', { transformer: idColumn('org') }) orgId: string;
  @PrimaryColumn('uuid', { transformer: idColumn('workflow') }) id: string;
  @Column('text') name: string;
  @Column('text', { nullable: true }) description: string | null;
  @Column('text') status: WorkflowStatus;
  /** From the active version, or else the latest, so that it can be searched for. */
  @Column('text') triggerKind: TriggerKind;
  @Column('integer') latestVersion: number;
  @Column('integer', { nullable: true }) activeVersion: number | null;
  /** Earlier events do not trigger it. */
  @Column('timestamptz', { nullable: true }) activatedAt: string | null;
  @Column('text', { nullable: true }) pausedReason: string | null;
  @Column('timestamptz', { nullable: true }) nextOccurrenceAt: string | null;
  @Column('jsonb') metadata: Record<string, string>;
  @Column('integer') version: number;
  @Column('timestamptz') createdAt: string;
  @Column('timestamptz') updatedAt: string;
}

/** The content of a workflow from some moment on. It never changes. */
@Entity('workflow_versions')
export class WorkflowVersion implements Definition {
  @PrimaryColumn('uuid', { transformer: idColumn('org') }) orgId: string;
  @PrimaryColumn('uuid', { transformer: idColumn('workflow') }) workflowId: string;
  @PrimaryColumn('integer') number: number;
  @Column('jsonb') trigger: Trigger;
  @Column('jsonb', { nullable: true }) conditions: WorkflowConditions | null;
  @Column('jsonb') steps: Step[];
  @Column('uuid', { transformer: idColumn('member') }) runAsMemberId: string;
  @Column('text') origin: VersionOrigin;
  @Column('uuid', { transformer: idColumn('member') }) createdBy: string;
  @Column('timestamptz') createdAt: string;
}

type Given = Pick<Workflow, 'name' | 'description' | 'metadata' | 'triggerKind'>;

export function newWorkflow(orgId: string, given: Given): Workflow {
  const now = new Date().toISOString();
  return Object.assign(new Workflow(), {
    ...given,
    orgId,
    id: newId('workflow'),
    status: 'draft' as const,
    latestVersion: 1,
    activeVersion: null,
    activatedAt: null,
    pausedReason: null,
    nextOccurrenceAt: null,
    version: 1,
    createdAt: now,
    updatedAt: now,
  });
}

export const versionOf = (
  { orgId, id, latestVersion }: Workflow,
  definition: Definition,
  createdBy: string,
  origin: VersionOrigin,
): WorkflowVersion =>
  Object.assign(new WorkflowVersion(), {
    ...definition,
    orgId,
    workflowId: id,
    number: latestVersion,
    origin,
    createdBy,
    createdAt: new Date().toISOString(),
  });
