import { ListOf, ListOfObjects, OpenObject, Text } from '#operations';
import { type StepKind, stepKinds } from './definition.dto.js';

/** Nothing is given. */
export class GetWorkflowCatalog {}

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
