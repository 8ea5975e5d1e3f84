import {
  Id,
  Int,
  IntersectionType,
  ListOf,
  ListOfObjects,
  Metadata,
  MetadataChange,
  ObjectOf,
  OmitType,
  OneOf,
  PageOf,
  PartialType,
  Text,
  Timestamp,
} from '#operations';
import { WorkflowConditions } from './definition.dto.js';
import { type GivenStep, mostSteps, WorkflowStep } from './step.dto.js';
import { type Trigger, type TriggerKind, triggerKinds, WorkflowTrigger } from './trigger.dto.js';

export const workflowStatuses = ['draft', 'active', 'paused', 'archived'] as const;
export type WorkflowStatus = (typeof workflowStatuses)[number];

export const versionOrigins = ['given', 'model'] as const;
export type VersionOrigin = (typeof versionOrigins)[number];

export const mostVersions = 2_147_483_647;
const name = { description: 'Name of the workflow.', max: 200 };
const description = { description: 'What the workflow is for.', max: 2_000 };
const metadata = { description: 'Your own keys and values.' };

class WorkflowDefinition {
  @ObjectOf(() => WorkflowTrigger, {
    description: 'When the workflow runs.',
    example: { kind: 'event', eventType: 'reservation.moved' },
  })
  trigger: Trigger;

  @ObjectOf(() => WorkflowConditions, {
    description: 'Conditions that must match; default: none.',
    optional: true,
    nullable: true,
    example: { match: 'all', rules: [{ field: 'event.data.status', operator: 'equals', value: 'confirmed' }] },
  })
  conditions?: WorkflowConditions | null;

  @ListOfObjects(() => WorkflowStep, {
    description: 'Steps, in order.',
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
  steps: GivenStep[];

  @Id('member', {
    description:
      "Member that the workflow runs as (member_…), from listMembers, with that member's current permissions; default: you.",
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
  @Id('workflow', { description: 'Workflow id (workflow_…), from listWorkflows.' }) workflowId: string;
}

export class OfVersion extends ThisWorkflow {
  @Int({ description: 'Version; default: the latest.', optional: true, min: 1, max: mostVersions })
  workflowVersion?: number;
}

export class GetWorkflow extends OfVersion {}
export class ActivateWorkflow extends OfVersion {}

export class UpdateWorkflow extends IntersectionType(ThisWorkflow, PartialType(SaveWorkflow)) {
  @MetadataChange({ description: 'Keys to set; null removes.', optional: true })
  override metadata?: Record<string, string>;
}

export class RunWorkflow extends ThisWorkflow {
  @Id('reservation', {
    description: 'Stay of the run (reservation_…), from listReservations; if the trigger needs one.',
    optional: true,
  })
  reservationId?: string;
}

export class ListWorkflows extends PageOf(['createdAt', 'updatedAt', 'name']) {
  @OneOf(workflowStatuses, {
    description: 'Only workflows with this status; default: all except archived ones.',
    optional: true,
  })
  status?: WorkflowStatus;

  @OneOf(triggerKinds, { description: 'Only workflows with this kind of trigger.', optional: true })
  triggerKind?: TriggerKind;

  @Timestamp({ description: 'Only workflows changed at or after this time.', optional: true })
  updatedSince?: string;
}

export class WorkflowVersionView {
  @Int({ description: 'Version number.', min: 1, max: mostVersions }) workflowVersion: number;
  @OneOf(versionOrigins, { description: 'Whether a person or program wrote the content, or a model.' })
  origin: VersionOrigin;
  @Id('member', { description: 'Member who created the version (member_…).' }) createdBy: string;
  @Timestamp({ description: 'When the version was created.' }) createdAt: string;
}

export class WorkflowView {
  @Id('workflow', { description: 'Workflow id (workflow_…).' }) id: string;
  @Text(name) name: string;
  @Text({ ...description, nullable: true }) description: string | null;
  @OneOf(workflowStatuses, { description: 'Status; only an active workflow runs.' }) status: WorkflowStatus;
  @OneOf(triggerKinds, { description: 'Kind of trigger of the active version, or else of the latest.' })
  triggerKind: TriggerKind;
  @Int({ description: 'Version that is shown here.', min: 1, max: mostVersions }) workflowVersion: number;
  @Int({ description: 'Latest version.', min: 1, max: mostVersions }) latestVersion: number;
  @Int({ description: 'Active version.', nullable: true, min: 1, max: mostVersions }) activeVersion: number | null;
  @ObjectOf(() => WorkflowTrigger, { description: 'When the workflow runs.' }) trigger: Trigger;
  @ObjectOf(() => WorkflowConditions, { description: 'Conditions that must match.', nullable: true })
  conditions: WorkflowConditions | null;

  @ListOfObjects(() => WorkflowStep, {
    description: 'Steps, in order; secrets in their input are masked.',
    max: mostSteps,
  })
  steps: GivenStep[];

  @Id('member', { description: 'Member that the workflow runs as (member_…).' }) runAsMemberId: string;
  @ListOf(
    { text: 1_000 },
    { description: 'Description of the workflow in plain words, one line per trigger, condition and step.', max: 200 },
  )
  summary: string[];

  @Timestamp({ description: 'When the active version was activated.', nullable: true }) activatedAt: string | null;
  @Timestamp({ description: 'Next time of its schedule.', nullable: true }) nextOccurrenceAt: string | null;
  @Text({ description: 'Why the service paused the workflow.', max: 500, nullable: true }) pausedReason: string | null;
  @ListOfObjects(() => WorkflowVersionView, { description: 'Latest 50 versions, newest first.', max: 50 })
  versions: WorkflowVersionView[];

  @Metadata(metadata) metadata: Record<string, string>;
  @Int({
    description: 'Version of the record, increased by every change; send it as If-Match.',
    min: 1,
    max: mostVersions,
  })
  version: number;
  @Timestamp({ description: 'When the workflow was created.' }) createdAt: string;
  @Timestamp({ description: 'When the workflow was last changed.' }) updatedAt: string;
}

/** A workflow in a list, without its content. */
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
  @Text({ description: 'Secret (whsec_…) for checking signatures (Standard Webhooks).', max: 100 }) secret: string;
}
