import { IntersectionType, OmitType, PartialType } from '@nestjs/swagger';
import { Id, Int, ListOf, ListOfObjects, Metadata, ObjectOf, OneOf, Text, Timestamp } from '#operations';
import { PageOf } from '../../../libs/operations/paging.js';
import {
  mostSteps,
  type TriggerKind,
  triggerKinds,
  WorkflowConditions,
  WorkflowStep,
  WorkflowTrigger,
} from '../../workflows/definition.dto.js';

export const workflowStatuses = ['draft', 'active', 'paused', 'archived'] as const;
export type WorkflowStatus = (typeof workflowStatuses)[number];

export const versionOrigins = ['given', 'model'] as const;
export type VersionOrigin = (typeof versionOrigins)[number];

export const mostVersions = 2_147_483_647;
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

export class SaveWorkflow extends IntersectionType(WorkflowLabels, WorkflowDefinition) {}

export class ThisWorkflow {
  @Id('workflow', { about: 'The workflow.' }) workflowId: string;
}

export class OfVersion extends ThisWorkflow {
  @Int({ about: 'Which version; the latest when left out.', optional: true, min: 1, max: mostVersions })
  workflowVersion?: number;
}

export class GetWorkflow extends OfVersion {}
export class ActivateWorkflow extends OfVersion {}

export class UpdateWorkflow extends IntersectionType(
  ThisWorkflow,
  PartialType(SaveWorkflow, { skipNullProperties: false }),
) {}

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
  @Int({ about: 'Its number.', min: 1, max: mostVersions }) workflowVersion: number;
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
  @Int({ about: 'The version that is shown here.', min: 1, max: mostVersions }) workflowVersion: number;
  @Int({ about: 'The newest version.', min: 1, max: mostVersions }) latestVersion: number;
  @Int({ about: 'The version that acts.', nullable: true, min: 1, max: mostVersions }) activeVersion: number | null;
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
  @Int({ about: 'Rises with every change; send it as If-Match.', min: 1, max: mostVersions }) version: number;
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

export class WorkflowSecret {
  @Text({ about: 'The secret (whsec_…), of Standard Webhooks.', max: 100 }) secret: string;
}
