import { parentPort, workerData } from 'node:worker_threads';
import { type CalendarOptions, readCalendar, UnreadableCalendar } from './calendar-file.js';
import type { CalendarAnswer } from './calendar-reader.js';

/**
 * What runs in the thread that `readCalendarApart` starts: reads the one file it was given, and ends. Each thread loads
 * what is imported from here anew, so that is little.
 */
const { text, options } = workerData as { text: string; options: CalendarOptions };

function read(): CalendarAnswer {
  try {
    return { file: readCalendar(text, options) };
  } catch (error) {
    if (error instanceof UnreadableCalendar) return { unreadable: error.message };
    throw error;
  }
}

parentPort?.postMessage(read());
