import { Column, Entity, PrimaryColumn } from 'typeorm';
import { idColumn, newId } from '#persistence';
import type { EventView } from '../../../events/event.dto.js';
import type { StayMoment, TriggerKind } from '../../../workflows/definition.dto.js';
import type { RunStatus, WorkflowRunError, WorkflowRunStep, WorkflowRunView } from '../../../workflows/runs/run.dto.js';

/** What had a run begin, as far as it cannot be read again. */
export interface RunTrigger {
  kind: TriggerKind;
  event?: EventView;
  occursAt?: string;
  requestedBy?: string;
}

export interface RunStep extends WorkflowRunStep {
  /** Rises when somebody has a failed step tried again: what it does then is another request. */
  round: number;
}

@Entity('workflow_runs')
export class WorkflowRun implements WorkflowRunView {
  @PrimaryColumn('uuid', { transformer: idColumn('org') }) orgId: string;
  @PrimaryColumn('uuid', { transformer: idColumn('run') }) id: string;
  @Column('uuid', { transformer: idColumn('workflow') }) workflowId: string;
  @Column('integer') workflowVersion: number;
  /** What it was triggered by: the same has a workflow run once. */
  @Column('text') triggerKey: string;
  @Column('jsonb') trigger: RunTrigger;
  /** What the trigger was about, by which a workflow that runs away is noticed. */
  @Column('text', { nullable: true }) subjectId: string | null;
  @Column('uuid', { nullable: true, transformer: idColumn('reservation') }) reservationId: string | null;
  @Column('uuid', { nullable: true, transformer: idColumn('property') }) propertyId: string | null;
  /** The workflows that led to it, the first one first. */
  @Column('jsonb') chain: string[];
  @Column('text') status: RunStatus;
  @Column('jsonb') steps: RunStep[];
  /** The moment of the stay that it waits for: it waits longer or shorter when the stay moves. */
  @Column('text', { nullable: true }) waitsFor: StayMoment | null;
  @Column('integer', { nullable: true }) waitOffsetMinutes: number | null;
  @Column('jsonb', { nullable: true }) error: WorkflowRunError | null;
  /** Tells one process that performs it from another: what an earlier one still brings is dropped. */
  @Column('integer') claims: number;
  /** When it goes on, or is taken to be left by the process that performs it; null once it has ended. */
  @Column('timestamptz', { nullable: true }) dueAt: string | null;
  @Column('timestamptz', { nullable: true }) finishedAt: string | null;
  @Column('integer') version: number;
  @Column('timestamptz') createdAt: string;
  @Column('timestamptz') updatedAt: string;
}

type Given = Pick<
  WorkflowRun,
  | 'orgId'
  | 'workflowId'
  | 'workflowVersion'
  | 'triggerKey'
  | 'trigger'
  | 'subjectId'
  | 'reservationId'
  | 'propertyId'
  | 'chain'
>;

/** @param skipped where conditions did not hold: it is only noted, so that nobody looks again. */
export function newRun(given: Given, { skipped = false } = {}): WorkflowRun {
  const now = new Date().toISOString();
  return Object.assign(new WorkflowRun(), {
    ...given,
    id: newId('run'),
    status: skipped ? ('skipped' as const) : ('queued' as const),
    steps: [],
    waitsFor: null,
    waitOffsetMinutes: null,
    error: null,
    claims: 0,
    dueAt: skipped ? null : now,
    finishedAt: skipped ? now : null,
    version: 1,
    createdAt: now,
    updatedAt: now,
  });
}
