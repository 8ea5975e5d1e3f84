export { dueInTurns } from './due-in-turns.js';
export { DueTimer } from './due-timer.js';
export { Jobs } from './jobs.js';
export { migrateQueue } from './queue-schema.js';
export { type Lane, type Piece, schedules, type Tally, type Work } from './work.js';
