import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

const isLinux = process.platform === 'linux';
const threads = '/proc/self/task';
/** What Node calls the threads that collect garbage and compile for all others of its process. */
const helper = 'V8Worker';
let helpersAreLow = false;

/** On Linux a thread has a priority of its own, so the event loop and the database get a core before heavy work does. */
export function leaveCores(): void {
  if (isLinux) setPriority(constants.priority.PRIORITY_LOW);
}

/**
 * The same for the threads of V8, from the first heavy work on: collecting its garbage takes as much time as the work
 * itself. Their priority is not the lowest, because the event loop waits for those that collect its own garbage.
 */
export function helpersLeaveCores(): void {
  if (!isLinux || helpersAreLow) return;
  helpersAreLow = true;
  for (const id of helperIds()) setPriority(id, constants.priority.PRIORITY_BELOW_NORMAL);
}

/** The ids that Linux gives to the threads of V8 in this process; none where it does not tell. */
export const helperIds = (): number[] =>
  (existsSync(threads) ? readdirSync(threads) : []).filter((id) => nameOf(id) === helper).map(Number);

/** Nothing for a thread that has just ended. */
function nameOf(id: string): string | undefined {
  try {
    return readFileSync(`${threads}/${id}/comm`, 'utf8').trim();
  } catch {
    return undefined;
  }
}
