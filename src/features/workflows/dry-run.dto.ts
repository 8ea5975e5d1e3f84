import { Flag, Id, Int, ListOfObjects, OneOf, OpenObject, Text, Timestamp } from '#operations';
import { mostSteps, type StepKind, stepKinds } from './step.dto.js';
import { mostVersions, OfVersion } from './workflow.dto.js';

export class TestWorkflow extends OfVersion {
  @Int({ description: 'Number of past days to test; default: 7.', optional: true, min: 1, max: 30 })
  days?: number;
}

export class TriedRule {
  @Text({ description: 'Fact that was compared.', max: 200 }) field: string;
  @OpenObject({ description: 'actual: value of the fact. value: value in the rule.' }) compared: object;
  @Flag({ description: 'Whether the rule matched.' }) holds: boolean;
}

export class TriedStep {
  @Text({ description: 'Name of the step.', max: 40 }) id: string;
  @OneOf(stepKinds, { description: 'Kind of step.' }) kind: StepKind;
  @Text({ description: 'Description of the step in plain words.', max: 1_000 }) says: string;
  @OpenObject({ description: 'Input that the step would receive.', optional: true }) input?: object;
}

export class WorkflowTrial {
  @Text({ description: 'Trigger of the run: an event, a stay, or a time.', max: 200 }) trigger: string;
  @Timestamp({ description: 'Time of the event, stay or schedule.' }) occurredAt: string;
  @Flag({ description: 'Whether the workflow would have run.' }) runs: boolean;
  @Text({ description: 'Why it would not have run.', max: 500, nullable: true }) reason: string | null;
  @ListOfObjects(() => TriedRule, { description: 'Results of the conditions.', max: 20 }) conditions: TriedRule[];
  @ListOfObjects(() => TriedStep, { description: 'Steps that would have run.', max: mostSteps }) steps: TriedStep[];
}

export class WorkflowTestView {
  @Id('workflow', { description: 'Workflow id (workflow_…).' }) workflowId: string;
  @Int({ description: 'Version that was tested.', min: 1, max: mostVersions }) workflowVersion: number;
  @Timestamp({ description: 'Start of the tested period.' }) from: string;
  @Int({ description: 'Number of events, stays or times that were checked, at most 1,000.', min: 0, max: 1_000 })
  examined: number;
  @Int({ description: 'Number of them that would have run the workflow.', min: 0, max: 1_000 }) triggered: number;
  @ListOfObjects(() => WorkflowTrial, { description: 'Latest 50 of them, newest first.', max: 50 })
  trials: WorkflowTrial[];
}
