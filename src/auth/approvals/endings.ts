import { inFuture } from '#jobs';
import type { Approval } from './approval.entity.js';

/** For how long the request and its response are kept. */
const keptMs = 24 * 3_600_000;

/** What an approval has that ended at this moment: its content is removed a day later. */
export const endedNow = (): Pick<Approval, 'endedAt' | 'dueAt'> => ({
  endedAt: new Date().toISOString(),
  dueAt: inFuture(keptMs),
});
