import { Column, Entity, PrimaryColumn } from 'typeorm';
import { idColumn, newId } from '#persistence';
import type { EventView } from '../../../platform/events/event.dto.js';
import type { StayMoment } from '../definition.dto.js';
import type { TriggerKind } from '../trigger.dto.js';
import type { RunStatus, WorkflowRunError, WorkflowRunStep, WorkflowRunView } from './run.dto.js';

/** The parts of a run's trigger that cannot be read again later. */
export interface RunTrigger {
  kind: TriggerKind;
  event?: EventView;
  occursAt?: string;
  requestedBy?: string;
}

export interface RunStep extends WorkflowRunStep {
  /** Increases when somebody retries a failed step, because the retry is a new request. */
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
  /** The subject of the trigger, by which a workflow that triggers itself is detected. */
  @Column('text', { nullable: true }) subjectId: string | null;
  @Column('uuid', { nullable: true, transformer: idColumn('reservation') }) reservationId: string | null;
  @Column('uuid', { nullable: true, transformer: idColumn('property') }) propertyId: string | null;
  /** The workflows that led to it, the first one first. */
  @Column('jsonb') chain: string[];
  @Column('text') status: RunStatus;
  @Column('jsonb') steps: RunStep[];
  /** The moment of the stay that it waits for. The wait changes when the stay moves. */
  @Column('text', { nullable: true }) waitsFor: StayMoment | null;
  @Column('integer', { nullable: true }) waitOffsetMinutes: number | null;
  @Column('jsonb', { nullable: true }) error: WorkflowRunError | null;
  /** Distinguishes the processes that perform it: the results of an earlier one are dropped. */
  @Column('integer') claims: number;
  /** When it continues, or counts as abandoned by the process that performs it; null once it has ended. */
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

/** @param skipped if conditions were not met: the run is only recorded, so that the occasion is not checked again. */
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
