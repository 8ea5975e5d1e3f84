import type { Step, StepOf } from '../definition.js';
import type { RunStep } from './run.entity.js';

/** The first unfinished step, in the branches that were taken; undefined once all are done. */
export function nextStep(steps: readonly Step[], timeline: readonly RunStep[]): Step | undefined {
  for (const step of steps) {
    const entry = entryOf(step, timeline);
    if (entry?.status !== 'succeeded') return step;
    const inner = step.kind === 'branch' ? nextStep(takenOf(step, entry), timeline) : undefined;
    if (inner) return inner;
  }
  return undefined;
}

export const entryOf = ({ id }: Step, timeline: readonly RunStep[]): RunStep | undefined =>
  timeline.find(({ stepId }) => stepId === id);

const takenOf = (step: StepOf<'branch'>, { result }: RunStep): readonly Step[] =>
  result?.held === true ? step.steps : (step.otherwise ?? []);
