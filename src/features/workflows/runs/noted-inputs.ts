import { allSteps, type Step } from '../definition.js';
import type { RunStep } from './run.entity.js';

type Input = Record<string, unknown>;

/**
 * A timeline with other inputs of its operations.
 *
 * @param steps of the version that it performs, because a timeline does not name the operations.
 */
export function withInputsAs(
  timeline: readonly RunStep[],
  steps: readonly Step[],
  as: (operation: string, input: Input) => Input,
): RunStep[] {
  const known = new Map(allSteps(steps).map((step) => [step.id, step]));
  return timeline.map((entry) => {
    const step = known.get(entry.stepId);
    if (!entry.input || step?.kind !== 'operation') return entry;
    return { ...entry, input: as(step.operation, entry.input) };
  });
}
