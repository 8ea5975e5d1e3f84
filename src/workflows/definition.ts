import type {
  RecipientKind,
  StayMoment,
  StepKind,
  WorkflowConditions,
  WorkflowStep,
  WorkflowTrigger,
} from './definition.dto.js';

/** A step as it is kept: it has a name, and the fields of its kind. */
export type Step = OperationStep | EmailStep | WaitStep | BranchStep | WebhookStep;

export interface OperationStep {
  id: string;
  kind: 'operation';
  operation: string;
  input?: Record<string, unknown>;
}

export interface EmailStep {
  id: string;
  kind: 'send_email';
  templateId: string;
  to: RecipientKind;
  memberId?: string;
}

export interface WaitStep {
  id: string;
  kind: 'wait';
  minutes?: number;
  until?: StayMoment;
  offsetMinutes?: number;
}

export interface BranchStep {
  id: string;
  kind: 'branch';
  conditions: WorkflowConditions;
  steps: Step[];
  otherwise?: Step[];
}

export interface WebhookStep {
  id: string;
  kind: 'webhook';
  url: string;
  payload?: Record<string, unknown>;
}

/** What a version of a workflow says. */
export interface Definition {
  trigger: WorkflowTrigger;
  conditions: WorkflowConditions | null;
  steps: Step[];
  runAsMemberId: string;
}

export const definitionFields = ['trigger', 'conditions', 'steps', 'runAsMemberId'] as const;

/** What a version holds, without all that is known of it beside. */
export const definitionOf = ({ trigger, conditions, steps, runAsMemberId }: Definition): Definition => ({
  trigger,
  conditions,
  steps,
  runAsMemberId,
});

/** Which fields each kind of step has; the first are required. */
export const fieldsOfStep: Record<StepKind, { required: StepField[]; optional: StepField[] }> = {
  operation: { required: ['operation'], optional: ['input'] },
  send_email: { required: ['templateId', 'to'], optional: ['memberId'] },
  wait: { required: [], optional: ['minutes', 'until', 'offsetMinutes'] },
  branch: { required: ['conditions', 'steps'], optional: ['otherwise'] },
  webhook: { required: ['url'], optional: ['payload'] },
};
export type StepField = Exclude<keyof WorkflowStep, 'id' | 'kind'>;

export const fieldsOfTrigger: Record<WorkflowTrigger['kind'], { required: TriggerField[]; optional: TriggerField[] }> =
  {
    event: { required: ['eventType'], optional: [] },
    schedule: { required: ['recurrence', 'timeOfDay', 'timezone'], optional: ['startsOn'] },
    reservation_relative: { required: ['moment', 'offsetMinutes'], optional: [] },
    manual: { required: [], optional: ['reservation'] },
  };
export type TriggerField = Exclude<keyof WorkflowTrigger, 'kind'>;

type Path = (string | number)[];

/** Every step, those within branches too, in the order they are written, with the place of each. */
export function* placedSteps(steps: readonly Step[], at: Path = ['steps']): Generator<[Step, Path]> {
  for (const [index, step] of steps.entries()) {
    const here = [...at, index];
    yield [step, here];
    if (step.kind !== 'branch') continue;
    yield* placedSteps(step.steps, [...here, 'steps']);
    yield* placedSteps(step.otherwise ?? [], [...here, 'otherwise']);
  }
}

export const allSteps = (steps: readonly Step[]): Step[] => Array.from(placedSteps(steps), ([step]) => step);
