import { DateTime } from 'luxon';
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

const weekday = '(MO|TU|WE|TH|FR|SA|SU)';
const one = (value: string): RegExp => new RegExp(`^${value}$`);
const listOf = (value: string): RegExp => one(`${value}(,${value})*`);
/** The library loops endlessly on values that are not numbers, or are below one. */
const valueOf: Readonly<Record<string, RegExp>> = {
  FREQ: one(`(${Object.keys(partsOf).join('|')})`),
  INTERVAL: one('[1-9]\\d{0,3}'),
  COUNT: one('[1-9]\\d{0,3}'),
  UNTIL: one('\\d{8}(T\\d{6}Z?)?'),
  WKST: one(weekday),
  BYDAY: listOf(`([+-]?[1-5])?${weekday}`),
  BYMONTH: listOf('(0?[1-9]|1[0-2])'),
  BYMONTHDAY: listOf('[+-]?(0?[1-9]|[12]\\d|3[01])'),
  // Every weekday comes at least four times in every month.
  BYSETPOS: listOf('[+-]?[1-4]'),
};
const daysOfMonth = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** The calendar, including weekdays, repeats after this many years. */
const cycleYears = 400;
const dayMs = 86_400_000;
const cycleMs = 146_097 * dayMs;
/** The library looks for the next time until the end of this year, and blocks the process while it does. */
const lastYear = 9_999;

type Parts = ReadonlyMap<string, string>;

/** What recurs. Local times are written as if they were UTC: a task at nine stays at nine when the clocks change. */
export interface Series {
  rule: string;
  /** The first local time. */
  start: Date;
  timezone: string;
}

export const localTime = (moment: string, timezone: string): Date =>
  local(DateTime.fromISO(moment), timezone).toJSDate();

/** Whether its rule is supported and ever occurs. */
export const isRecurrenceRule = (series: Series): boolean => search(series, series.start, true) !== undefined;

/**
 * The next local time of a series.
 *
 * @returns undefined when the series is over, and for a rule that was accepted before its values were checked.
 */
export const nextOccurrence = (series: Series, after: Date): Date | undefined => search(series, after);

/** The local times of a series from one to another, in one pass: to look for each of them takes many times as long. */
export function occurrencesBetween(series: Series, from: Date, to: Date): Date[] {
  const calendar = calendarOf(series, from, to);
  return calendar?.rule.between(calendar.ahead(from), calendar.ahead(to), true).map(calendar.back) ?? [];
}

/** The parts of a rule that can be followed; undefined for any other. */
function partsIn(rule: string): Parts | undefined {
  const named = rule.split(';').map((part) => part.split(/=(.*)/s, 2) as [string, string]);
  const parts: Parts = new Map(named);
  const known = partsOf[parts.get('FREQ') ?? ''];
  const isKnown =
    known !== undefined &&
    parts.size === named.length &&
    named.every(([name, value]) => (always.includes(name) || known.includes(name)) && valueOf[name]?.test(value));
  return isKnown && !mayNeverCome(parts) ? parts : undefined;
}

/** Whether the rule asks for days that may never occur. */
function mayNeverCome(parts: Parts): boolean {
  const numbers = (name: string): number[] => parts.get(name)?.split(',').map(Number) ?? [];
  const [frequency, byDay = '', months, days] = [
    parts.get('FREQ') as string,
    parts.get('BYDAY'),
    numbers('BYMONTH'),
    numbers('BYMONTHDAY'),
  ];
  // Every seventh day and a Tuesday, every second month and in March.
  const leaps = Number(parts.get('INTERVAL') ?? 1) > 1;
  if (leaps && frequency === 'DAILY' && (byDay || months.length > 0)) return true;
  if (leaps && frequency === 'MONTHLY' && months.length > 0) return true;
  // A week has no second Monday, and no 31st is a first Monday.
  const isNumbered = /\d/.test(byDay);
  if (isNumbered && (days.length > 0 || ['DAILY', 'WEEKLY'].includes(frequency))) return true;
  const longest = Math.max(...(months.length > 0 ? months.map((month) => daysOfMonth[month - 1] as number) : [31]));
  if (days.length > 0 && days.every((day) => Math.abs(day) > longest)) return true;
  return parts.has('BYSETPOS') && (!byDay || isNumbered || days.length > 0);
}

function search(series: Series, after: Date, inclusive = false): Date | undefined {
  const calendar = calendarOf(series, after, after);
  const found = calendar?.rule.after(calendar.ahead(after), inclusive);
  return found ? calendar?.back(found) : undefined;
}

/** Moves a series to the end of the library's calendar, so that what is not found is not looked for in 8,000 years. */
function calendarOf({ rule, start, timezone }: Series, from: Date, to: Date) {
  const parts = partsIn(rule);
  const until = lastTime(parts?.get('UNTIL'), timezone);
  if (!parts || until?.isValid === false) return undefined;
  const begin = takenUp(parts, start, from);
  const latest = Math.max(begin.getUTCFullYear(), to.getUTCFullYear());
  const aheadMs = Math.floor((lastYear - latest) / cycleYears) * cycleMs;
  const ahead = (time: Date): Date => new Date(time.getTime() + aheadMs);
  const back = (time: Date): Date => new Date(time.getTime() - aheadMs);
  const options = { ...RRule.parseString(rule), dtstart: ahead(begin), until: until && ahead(until.toJSDate()) };
  return { rule: new RRule(options), ahead, back };
}

const stepDays: Readonly<Record<string, number>> = { DAILY: 1, WEEKLY: 7 };

/**
 * Without a count, a series of days or weeks can be computed from any of its times. It is continued just before the
 * requested time, so a series of centuries takes no longer than one of days.
 */
function takenUp(parts: Parts, start: Date, after: Date): Date {
  const days = stepDays[parts.get('FREQ') as string];
  if (days === undefined || parts.has('COUNT')) return start;
  const stepMs = days * Number(parts.get('INTERVAL') ?? 1) * dayMs;
  const steps = Math.floor((after.getTime() - start.getTime()) / stepMs) - 1;
  return steps > 0 ? new Date(start.getTime() + steps * stepMs) : start;
}

/** UNTIL is a moment in UTC, a local time, or the last day. */
function lastTime(until: string | undefined, timezone: string): DateTime | undefined {
  if (!until) return undefined;
  const written = DateTime.fromISO(until, { zone: 'utc' });
  if (until.endsWith('Z')) return local(written, timezone);
  return until.includes('T') ? written : written.endOf('day');
}

const local = (moment: DateTime, timezone: string): DateTime =>
  moment.setZone(timezone).setZone('utc', { keepLocalTime: true });
