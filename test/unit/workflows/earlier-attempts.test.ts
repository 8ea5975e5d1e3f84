import { inFlightOf, lostTrackOf } from '../../../src/features/workflows/runs/earlier-attempts.js';
import { tries } from '../../../src/features/workflows/runs/run-progress.service.js';
import type { RunStep } from '../../../src/features/workflows/runs/run.entity.js';

const hourMs = 3_600_000;
const step = (wishes: Partial<RunStep>): RunStep => ({
  stepId: 'made',
  kind: 'operation',
  status: 'running',
  attempts: 1,
  round: 0,
  startedAt: new Date().toISOString(),
  ...wishes,
});

it('only a step that waits for what it has started is checked', () => {
  const result = { id: 'cmd_1' };
  expect(inFlightOf(step({ status: 'waiting', result }))).toBe(result);
  // To be retried, or never started.
  expect(inFlightOf(step({ status: 'waiting' }))).toBeUndefined();
  expect(inFlightOf(step({ result }))).toBeUndefined();
  expect(inFlightOf(undefined)).toBeUndefined();
});

it.each([
  ['in its first attempt', {}, false],
  ['whose process died in every attempt', { attempts: tries.most }, true],
  ['whose key may have expired', { startedAt: new Date(Date.now() - 23.5 * hourMs).toISOString() }, true],
  ['that failed in every attempt, and waits', { status: 'waiting', attempts: tries.most }, false],
] as const)('a step %s is known or not', (_, wishes, isLost) => {
  expect(lostTrackOf(step(wishes))?.error.code).toBe(isLost ? 'OUTCOME_UNKNOWN' : undefined);
});
