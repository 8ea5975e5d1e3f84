import { IntersectionType, OmitType, PartialType } from '@nestjs/swagger';
import {
  Flag,
  Id,
  Int,
  ListOf,
  ListOfObjects,
  Metadata,
  ObjectOf,
  OneOf,
  OpenObject,
  Text,
  Timestamp,
} from '#operations';
import { PageOf } from '../paging.js';
import {
  mostSteps,
  stepKinds,
  type StepKind,
  type TriggerKind,
  triggerKinds,
  WorkflowConditions,
  WorkflowStep,
  WorkflowTrigger,
} from './definition.dto.js';

export const workflowStatuses = ['draft', 'active', 'paused', 'archived'] as const;
export type WorkflowStatus = (typeof workflowStatuses)[number];

export const versionOrigins = ['given', 'model'] as const;
export type VersionOrigin = (typeof versionOrigins)[number];

const most = 2_147_483_647;
const name = { about: 'What it is called.', max: 200 };
const description = { about: 'What it is for.', max: 2_000 };
const metadata = { about: 'Your own keys and values.' };

class WorkflowDefinition {
  @ObjectOf(() => WorkflowTrigger, {
    about: 'What has it run.',
    example: { kind: 'event', eventType: 'reservation.moved' },
  })
  trigger: WorkflowTrigger;

  @ObjectOf(() => WorkflowConditions, {
    about: 'What must hold as well; nothing when left out.',
    optional: true,
    nullable: true,
    example: { match: 'all', rules: [{ field: 'event.data.status', operator: 'equals', value: 'confirmed' }] },
  })
  conditions?: WorkflowConditions | null;

  @ListOfObjects(() => WorkflowStep, {
    about: 'What is done, one after the other.',
    min: 1,
    max: mostSteps,
    example: [
      {
        id: 'prepare',
        kind: 'operation',
        operation: 'createTask',
        input: { name: 'Prepare for the new dates', reservationId: '{{event.subject.id}}' },
      },
    ],
  })
  steps: WorkflowStep[];

  @Id('member', {
    about: 'In whose name it acts, with what that member may do at each step; you yourself when left out.',
    optional: true,
  })
  runAsMemberId?: string;
}

class WorkflowLabels {
  @Text({ ...name, example: 'Prepare a stay that was moved' }) name: string;
  @Text({ ...description, optional: true, nullable: true }) description?: string | null;
  @Metadata({ ...metadata, optional: true }) metadata?: Record<string, string>;
}

/** Nothing is given. */
export class GetWorkflowCatalog {}

export class SaveWorkflow extends IntersectionType(WorkflowLabels, WorkflowDefinition) {}

export class ThisWorkflow {
  @Id('workflow', { about: 'The workflow.' }) workflowId: string;
}

class OfVersion extends ThisWorkflow {
  @Int({ about: 'Which version; the latest when left out.', optional: true, min: 1, max: most })
  workflowVersion?: number;
}

export class GetWorkflow extends OfVersion {}
export class ActivateWorkflow extends OfVersion {}

export class UpdateWorkflow extends IntersectionType(
  ThisWorkflow,
  PartialType(SaveWorkflow, { skipNullProperties: false }),
) {}

export class TestWorkflow extends OfVersion {
  @Int({ about: 'How many days back it is tried on; 7 when left out.', optional: true, min: 1, max: 30 })
  days?: number;
}

export class RunWorkflow extends ThisWorkflow {
  @Id('reservation', { about: 'The stay that the run is about, where its trigger wants one.', optional: true })
  reservationId?: string;
}

export class ListWorkflows extends PageOf(['createdAt', 'updatedAt', 'name']) {
  @OneOf(workflowStatuses, { about: 'Only workflows of this status; all but archived when left out.', optional: true })
  status?: WorkflowStatus;

  @OneOf(triggerKinds, { about: 'Only workflows that this kind of trigger has run.', optional: true })
  triggerKind?: TriggerKind;

  @Timestamp({ about: 'Only workflows that changed at this time or later.', optional: true })
  updatedSince?: string;
}

export class WorkflowVersionView {
  @Int({ about: 'Its number.', min: 1, max: most }) workflowVersion: number;
  @OneOf(versionOrigins, { about: 'Whether its content was given or a model wrote it.' }) origin: VersionOrigin;
  @Id('member', { about: 'Who made it.' }) createdBy: string;
  @Timestamp({ about: 'When it was made.' }) createdAt: string;
}

export class WorkflowView {
  @Id('workflow', { about: 'The workflow.' }) id: string;
  @Text(name) name: string;
  @Text({ ...description, nullable: true }) description: string | null;
  @OneOf(workflowStatuses, { about: 'Whether it acts: only an active one does.' }) status: WorkflowStatus;
  @OneOf(triggerKinds, { about: 'What has it run: the version that acts, or else the latest.' })
  triggerKind: TriggerKind;
  @Int({ about: 'The version that is shown here.', min: 1, max: most }) workflowVersion: number;
  @Int({ about: 'The newest version.', min: 1, max: most }) latestVersion: number;
  @Int({ about: 'The version that acts.', nullable: true, min: 1, max: most }) activeVersion: number | null;
  @ObjectOf(() => WorkflowTrigger, { about: 'What has it run.' }) trigger: WorkflowTrigger;
  @ObjectOf(() => WorkflowConditions, { about: 'What must hold as well.', nullable: true })
  conditions: WorkflowConditions | null;

  @ListOfObjects(() => WorkflowStep, { about: 'What is done.', max: mostSteps }) steps: WorkflowStep[];
  @Id('member', { about: 'In whose name it acts.' }) runAsMemberId: string;
  @ListOf({ text: 1_000 }, { about: 'What it does, in plain words, a line for each thing.', max: 200 })
  summary: string[];

  @Timestamp({ about: 'Since when that version acts.', nullable: true }) activatedAt: string | null;
  @Timestamp({ about: 'When its schedule comes next.', nullable: true }) nextOccurrenceAt: string | null;
  @Text({ about: 'Why the service paused it, where it did.', max: 500, nullable: true }) pausedReason: string | null;
  @ListOfObjects(() => WorkflowVersionView, { about: 'The versions, newest first, up to 50.', max: 50 })
  versions: WorkflowVersionView[];

  @Metadata(metadata) metadata: Record<string, string>;
  @Int({ about: 'Rises with every change; send it as If-Match.', min: 1, max: most }) version: number;
  @Timestamp({ about: 'When it was made.' }) createdAt: string;
  @Timestamp({ about: 'When it last changed.' }) updatedAt: string;
}

/** A workflow in a list: without what it says. */
export class WorkflowSummary extends OmitType(WorkflowView, [
  'workflowVersion',
  'trigger',
  'conditions',
  'steps',
  'runAsMemberId',
  'summary',
  'versions',
] as const) {}

export class WorkflowOperation {
  @Text({ about: 'Its name, for a step.', max: 100 }) operation: string;
  @Text({ about: 'What it does.', max: 100 }) title: string;
  @Text({ about: 'More about it.', max: 500 }) description: string;
  @Text({ about: 'What the member that the workflow runs as must be permitted.', max: 100 }) permission: string;
  @OpenObject({ about: 'JSON Schema of its input.' }) input: object;
}

export class WorkflowEventType {
  @Text({ about: 'Its name, for a trigger.', max: 100 }) eventType: string;
  @Text({ about: 'What it tells.', max: 500 }) says: string;
  @OpenObject({ about: 'JSON Schema of event.data.' }) data: object;
}

export class WorkflowCatalogView {
  @ListOfObjects(() => WorkflowEventType, { about: 'What can have a workflow run.', max: 1_000 })
  eventTypes: WorkflowEventType[];

  @ListOfObjects(() => WorkflowOperation, { about: 'What steps can do.', max: 1_000 }) operations: WorkflowOperation[];
  @ListOf({ oneOf: stepKinds }, { about: 'The kinds of steps.', max: 20 }) stepKinds: StepKind[];
  @OpenObject({ about: 'JSON Schema of the facts that conditions and inputs may name: reservation, schedule, run.' })
  facts: object;
}

export class TriedRule {
  @Text({ about: 'What was looked at.', max: 200 }) field: string;
  @OpenObject({ about: 'What it was, as actual, and what it was compared with, as value.' }) compared: object;
  @Flag({ about: 'Whether the rule held.' }) holds: boolean;
}

export class TriedStep {
  @Text({ about: 'The step.', max: 40 }) id: string;
  @OneOf(stepKinds, { about: 'What it would do.' }) kind: StepKind;
  @Text({ about: 'That in plain words.', max: 1_000 }) says: string;
  @OpenObject({ about: 'What it would be given.', optional: true }) input?: object;
}

export class WorkflowTrial {
  @Text({ about: 'What would have had it run: an event, a stay, or a time.', max: 200 }) trigger: string;
  @Timestamp({ about: 'When.' }) occurredAt: string;
  @Flag({ about: 'Whether it would have run.' }) runs: boolean;
  @Text({ about: 'Why not.', max: 500, nullable: true }) reason: string | null;
  @ListOfObjects(() => TriedRule, { about: 'Its conditions.', max: 20 }) conditions: TriedRule[];
  @ListOfObjects(() => TriedStep, { about: 'What it would have done.', max: mostSteps }) steps: TriedStep[];
}

export class WorkflowTestView {
  @Id('workflow', { about: 'The workflow.' }) workflowId: string;
  @Int({ about: 'The version that was tried.', min: 1, max: most }) workflowVersion: number;
  @Timestamp({ about: 'From when on the past was looked at.' }) from: string;
  @Int({ about: 'How many events, stays or times were looked at, up to 1,000.', min: 0, max: 1_000 }) examined: number;
  @Int({ about: 'How many of them would have had it run.', min: 0, max: 1_000 }) triggered: number;
  @ListOfObjects(() => WorkflowTrial, { about: 'The latest 50 of them, newest first.', max: 50 })
  trials: WorkflowTrial[];
}

export class WorkflowSecret {
  @Text({ about: 'The secret (whsec_…), of Standard Webhooks.', max: 100 }) secret: string;
}
