import type { WorkflowConditions } from './definition.dto.js';
import type * as given from './step.dto.js';
import type { Trigger } from './trigger.dto.js';

type Named<Given> = Given & { id: string };

export type OperationStep = Named<given.OperationStep>;
export type EmailStep = Named<given.EmailStep>;
export type WaitStep = Named<given.WaitStep>;
export type WebhookStep = Named<given.WebhookStep>;

export interface BranchStep extends Named<Omit<given.BranchStep, 'steps' | 'otherwise'>> {
  steps: Step[];
  otherwise?: Step[];
}

/** A step as it is stored: it always has a name. */
export type Step = OperationStep | EmailStep | WaitStep | BranchStep | WebhookStep;

/** The content of a workflow version. */
export interface Definition {
  trigger: Trigger;
  conditions: WorkflowConditions | null;
  steps: Step[];
  runAsMemberId: string;
}

export const definitionFields = ['trigger', 'conditions', 'steps', 'runAsMemberId'] as const;

/** A version's content, without its metadata. */
export const definitionOf = ({ trigger, conditions, steps, runAsMemberId }: Definition): Definition => ({
  trigger,
  conditions,
  steps,
  runAsMemberId,
});

type Path = (string | number)[];

/** Every step with its place, including those in branches, in the order they are written. */
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
