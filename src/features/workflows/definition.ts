import type { WorkflowConditions } from './definition.dto.js';
import type { BranchStep, GivenStep, StepKind } from './step.dto.js';
import type { Trigger } from './trigger.dto.js';

/** A step as it is stored: it always has a name, and so have the steps of its branches. */
export type Step = (Exclude<GivenStep, BranchStep> & { id: string }) | StoredBranch;

interface StoredBranch extends Omit<BranchStep, 'id' | 'steps' | 'otherwise'> {
  id: string;
  steps: Step[];
  otherwise?: Step[];
}

/** A step of one kind. */
export type StepOf<Kind extends StepKind> = Extract<Step, { kind: Kind }>;

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
