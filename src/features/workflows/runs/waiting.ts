import type { StepOf } from '../definition.js';
import { minutesFrom, momentOf, type StayFacts } from '../facts.js';
import type { WorkflowRun } from './run.entity.js';

/** Until when a run waits, and for which moment of the stay. */
export interface Wait extends Pick<WorkflowRun, 'waitsFor' | 'waitOffsetMinutes'> {
  dueAt: string;
}

/** Undefined if the stay that a step waits for does not exist. */
export function waitOf(
  { minutes = 0, until, offsetMinutes = 0 }: StepOf<'wait'>,
  begunAt: string,
  stay: StayFacts | undefined,
): Wait | undefined {
  if (!until) return { dueAt: minutesFrom(begunAt, minutes), waitsFor: null, waitOffsetMinutes: null };
  if (!stay) return undefined;
  return { dueAt: momentOf(stay, until, offsetMinutes), waitsFor: until, waitOffsetMinutes: offsetMinutes };
}
