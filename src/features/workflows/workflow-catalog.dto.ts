import { Flag, ListOf, ListOfObjects, OneOf, OpenObject, Text } from '#operations';
import { type StepKind, stepKinds } from './step.dto.js';

export class GetWorkflowCatalog {
  @Flag({ description: 'true: one line for each event and operation, without schemas.', optional: true })
  summary?: boolean;

  @Text({ description: 'Only this event type or operation, with its schema.', max: 100, optional: true })
  name?: string;
}

export class WorkflowOperation {
  @Text({ description: 'Name of the operation.', max: 100 }) operation: string;
  @Text({ description: 'Description of the operation.', max: 100 }) title: string;
  @Text({ description: 'Details of the operation.', max: 500 }) description: string;
  @Text({ description: 'Permission that the member whom the workflow runs as needs.', max: 100 }) permission: string;
  @OpenObject({ description: 'JSON Schema of the input.' }) input: object;
}

export class WorkflowEventType {
  @Text({ description: 'Event type.', max: 100 }) eventType: string;
  @Text({ description: 'Description of the event.', max: 500 }) says: string;
  @OpenObject({ description: 'JSON Schema of event.data.' }) data: object;
}

export const entryKinds = ['event', 'operation'] as const;

/** The whole catalogue; with `summary` or `name`, one of its entries. */
export class WorkflowCatalogView {
  @ListOfObjects(() => WorkflowEventType, { description: 'Kinds of triggers.', max: 1_000, optional: true })
  eventTypes?: WorkflowEventType[];

  @ListOfObjects(() => WorkflowOperation, {
    description: 'Operations that steps can run.',
    max: 1_000,
    optional: true,
  })
  operations?: WorkflowOperation[];
  @ListOf({ oneOf: stepKinds }, { description: 'Kinds of steps.', max: 20, optional: true }) stepKinds?: StepKind[];
  @OpenObject({
    description: 'JSON Schema of the facts that conditions and inputs can use: reservation, schedule, run.',
    optional: true,
  })
  facts?: object;

  @OneOf(entryKinds, { description: 'For an entry: whether it triggers workflows or is run by steps.', optional: true })
  kind?: (typeof entryKinds)[number];
  @Text({ description: 'For an entry: its event type or operation.', max: 100, optional: true }) name?: string;
  @Text({ description: 'For an entry: its description.', max: 500, optional: true }) summary?: string;
  @Text({ description: 'For an operation by name: the permission that it requires.', max: 100, optional: true })
  permission?: string;
  @OpenObject({ description: 'For an entry by name: JSON Schema of event.data or of the input.', optional: true })
  schema?: object;
}
