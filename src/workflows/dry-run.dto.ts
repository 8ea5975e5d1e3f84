import { Flag, Id, Int, ListOfObjects, OneOf, OpenObject, Text, Timestamp } from '#operations';
import { mostSteps, type StepKind, stepKinds } from './definition.dto.js';
import { mostVersions, OfVersion } from '../features/workflows/workflow.dto.js';

export class TestWorkflow extends OfVersion {
  @Int({ about: 'How many days back it is tried on; 7 when left out.', optional: true, min: 1, max: 30 })
  days?: number;
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
  @Int({ about: 'The version that was tried.', min: 1, max: mostVersions }) workflowVersion: number;
  @Timestamp({ about: 'From when on the past was looked at.' }) from: string;
  @Int({ about: 'How many events, stays or times were looked at, up to 1,000.', min: 0, max: 1_000 }) examined: number;
  @Int({ about: 'How many of them would have had it run.', min: 0, max: 1_000 }) triggered: number;
  @ListOfObjects(() => WorkflowTrial, { about: 'The latest 50 of them, newest first.', max: 50 })
  trials: WorkflowTrial[];
}
