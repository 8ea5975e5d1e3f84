import { ListOf, ListOfObjects, OpenObject, Text } from '#operations';
import { type StepKind, stepKinds } from './step.dto.js';

/** Nothing is given. */
export class GetWorkflowCatalog {}

export class WorkflowOperation {
  @Text({ description: 'Name of the operation.', max: 100 }) operation: string;
  @Text({ description: 'Description of the operation.', max: 100 }) title: string;
  @Text({ description: 'More about the operation.', max: 500 }) description: string;
  @Text({ description: 'Permission that the member whom the workflow runs as needs.', max: 100 }) permission: string;
  @OpenObject({ description: 'JSON Schema of the input.' }) input: object;
}

export class WorkflowEventType {
  @Text({ description: 'Event type.', max: 100 }) eventType: string;
  @Text({ description: 'Description of the event.', max: 500 }) says: string;
  @OpenObject({ description: 'JSON Schema of event.data.' }) data: object;
}

export class WorkflowCatalogView {
  @ListOfObjects(() => WorkflowEventType, { description: 'Kinds of triggers.', max: 1_000 })
  eventTypes: WorkflowEventType[];

  @ListOfObjects(() => WorkflowOperation, { description: 'Operations that steps can run.', max: 1_000 })
  operations: WorkflowOperation[];
  @ListOf({ oneOf: stepKinds }, { description: 'Kinds of steps.', max: 20 }) stepKinds: StepKind[];
  @OpenObject({
    description: 'JSON Schema of the facts that conditions and inputs can use: reservation, schedule, run.',
  })
  facts: object;
}
