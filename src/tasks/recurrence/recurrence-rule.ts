import rrule from 'rrule';

const { Frequency, RRule } = rrule;

/** A rule of RFC 5545 that recurs daily or more rarely, without a start of its own. */
export function isRecurrenceRule(text: string): boolean {
  try {
    const { freq, dtstart } = RRule.parseString(text);
    return (
      freq !== undefined &&
      freq <= Frequency.DAILY &&
      !dtstart &&
      new RRule(RRule.parseString(text)).after(new Date(0)) !== null
    );
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
  return new RRule({ ...RRule.parseString(rule), dtstart: start }).after(after) ?? undefined;
}
