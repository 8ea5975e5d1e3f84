export { type Attempts, attemptsAfter, doubling, inFuture } from './backoff.js';
export type { ClaimColumns } from './claim-columns.js';
export {
  type Claim,
  type ClaimedTable,
  ClaimedTables,
  type ClaimedWork,
  claiming,
  type DueRow,
} from './claimed-table.js';
export { dueInTurns, soonestOf } from './due-in-turns.js';
export { DueTimer } from './due-timer.js';
export { Jobs } from './jobs.js';
export { Places } from './places.js';
export { migrateQueue } from './queue-schema.js';
export { type Lane, type DueJob, schedules, type Tally, type Work } from './work.js';
