import type { Config } from '../config/app.config.js';

/** For the answer, once there is a connection. */
const answerMs = 100;

/** How long the first look-up of a request may take before the database counts as unreachable. */
export const firstLookUpMs = ({ databaseWaitMs }: Config): number => databaseWaitMs + answerMs;
