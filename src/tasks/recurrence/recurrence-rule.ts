import rrule from 'rrule';

const { Frequency, RRule } = rrule;

/** How far ahead a next time is looked for; a rule that never comes true would keep the process busy for a minute. */
const horizonYears = 20;

/**
 * Whether a text is a rule of RFC 5545 that recurs daily or more rarely, has no start and no times of day of its own, and
 * comes true within twenty years.
 *
 * @param start when the series begins.
 */
export function isRecurrenceRule(text: string, start: Date): boolean {
  try {
    const { freq, dtstart, tzid, byhour, byminute, bysecond } = RRule.parseString(text);
    const hasOwnTimes = [dtstart, tzid, byhour, byminute, bysecond].some((part) => part !== undefined && part !== null);
    if (freq === undefined || freq > Frequency.DAILY || hasOwnTimes) return false;
    return bounded(text, start, start).after(start, true) !== null;
  } catch {
    return false;
  }
}

/**
 * The next local time of a series. Local times are written as if they were UTC, which is how the library reckons
 * without time zones: a task at nine stays at nine when the clocks change.
 *
 * @param start the first local time of the series.
 * @returns undefined when the series is over.
 */
export function nextOccurrence(rule: string, start: Date, after: Date): Date | undefined {
  return bounded(rule, start, after).after(after) ?? undefined;
}

function bounded(rule: string, start: Date, after: Date): InstanceType<typeof RRule> {
  const options = RRule.parseString(rule);
  const horizon = new Date(after);
  horizon.setUTCFullYear(after.getUTCFullYear() + horizonYears);
  const until = options.until && options.until < horizon ? options.until : horizon;
  return new RRule({ ...options, dtstart: start, until });
}
