import rrule from 'rrule';

const { RRule } = rrule;

const always = ['FREQ', 'INTERVAL', 'COUNT', 'UNTIL', 'WKST'];
/** Tasks and schedules recur daily or more rarely, at the time of day of the first one. */
const partsOf: Readonly<Record<string, readonly string[]>> = {
  DAILY: ['BYDAY', 'BYMONTH'],
  WEEKLY: ['BYDAY', 'BYMONTH'],
  MONTHLY: ['BYDAY', 'BYMONTH', 'BYMONTHDAY', 'BYSETPOS'],
  YEARLY: ['BYDAY', 'BYMONTH', 'BYMONTHDAY', 'BYSETPOS'],
};
const daysOfMonth = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
/** Every weekday comes at least so often in every month. */
const surePosition = 4;

type Parts = ReadonlyMap<string, string>;

/**
 * Whether a text is a rule of RFC 5545 that tasks and schedules can recur by.
 *
 * @param start when the series begins.
 */
export function isRecurrenceRule(text: string, start: Date): boolean {
  const parts: Parts = new Map(text.split(';').map((part) => part.split('=', 2) as [string, string]));
  const known = partsOf[parts.get('FREQ') ?? ''];
  const isKnown = known && [...parts.keys()].every((name) => always.includes(name) || known.includes(name));
  if (!isKnown || mayNeverCome(parts)) return false;
  try {
    return new RRule({ ...RRule.parseString(text), dtstart: start }).after(start, true) !== null;
  } catch {
    return false;
  }
}

/** The library looks for the next time until the year 9999, and holds the process up for as long as it does. */
function mayNeverCome(parts: Parts): boolean {
  const numbers = (name: string): number[] => parts.get(name)?.split(',').map(Number) ?? [];
  const [frequency, byDay, months, days] = [
    parts.get('FREQ'),
    parts.get('BYDAY'),
    numbers('BYMONTH'),
    numbers('BYMONTHDAY'),
  ];
  // Every seventh day and a Tuesday, every second month and in March.
  const leaps = Number(parts.get('INTERVAL') ?? 1) > 1;
  if (leaps && frequency === 'DAILY' && (byDay || months.length > 0)) return true;
  if (leaps && frequency === 'MONTHLY' && months.length > 0) return true;
  const longest = Math.max(...(months.length > 0 ? months.map((month) => daysOfMonth[month - 1] ?? 0) : [31]));
  if (days.length > 0 && days.every((day) => Math.abs(day) > longest)) return true;
  const positions = numbers('BYSETPOS');
  const isSure = byDay !== undefined && !/\d/.test(byDay) && days.length === 0;
  return positions.length > 0 && !(isSure && positions.every((position) => Math.abs(position) <= surePosition));
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
