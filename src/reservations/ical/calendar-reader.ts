import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { type CalendarFile, type CalendarOptions, UnreadableCalendar } from './calendar-file.js';

/** What the thread answers; errors do not keep their class on the way. */
export type CalendarAnswer = { file: CalendarFile } | { unreadable: string };

/** What a file may take, so that a hostile one costs no more than this. */
const budgetMs = 5_000;
const budgetMegabytes = 256;

/**
 * Reads an iCalendar file as `readCalendar` does, in a thread of its own: however long a stranger's file takes, requests
 * go on being served, and the thread is ended when its budget is spent.
 *
 * @throws UnreadableCalendar
 */
export async function readCalendarApart(
  text: string,
  options: CalendarOptions,
  withinMs = budgetMs,
): Promise<CalendarFile> {
  const thread = new Worker(new URL(import.meta.resolve('./calendar-thread.js')), {
    workerData: { text, options },
    resourceLimits: { maxOldGenerationSizeMb: budgetMegabytes },
  });
  try {
    const [answer] = (await once(thread, 'message', { signal: AbortSignal.timeout(withinMs) })) as [CalendarAnswer];
    if ('unreadable' in answer) throw new UnreadableCalendar(answer.unreadable);
    return answer.file;
  } catch (error) {
    throw isSpent(error) ? new UnreadableCalendar('The calendar takes too long to read.', { cause: error }) : error;
  } finally {
    await thread.terminate();
  }
}

const isSpent = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  (error.code === 'ABORT_ERR' || error.code === 'ERR_WORKER_OUT_OF_MEMORY');
