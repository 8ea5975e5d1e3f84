import { DateTime } from 'luxon';
import { isCalendarDate } from '#operations';
import {
  isRecurrenceRule,
  localTime,
  nextOccurrence,
  occurrencesBetween,
  type Series,
} from '../../libs/recurrence/recurrence-rule.js';
import type { WorkflowTrigger } from './definition.dto.js';

/** A schedule, of a trigger that has been checked. */
interface Schedule {
  recurrence: string;
  timeOfDay: string;
  timezone: string;
  startsOn?: string;
}

const scheduleOf = (trigger: WorkflowTrigger): Schedule => trigger as Schedule;

const seriesOf = ({ recurrence, timeOfDay, startsOn, timezone }: Schedule, writtenAt: string): Series => ({
  rule: recurrence,
  start: new Date(`${startsOn ?? localDate(writtenAt, timezone)}T${timeOfDay}:00Z`),
  timezone,
});

export const localDate = (time: string, timezone: string): string =>
  DateTime.fromISO(time, { zone: timezone }).toISODate() as string;

/** Whether its rule is one that can be followed, and comes at all. */
export const isSchedule = (trigger: WorkflowTrigger, writtenAt: string): boolean =>
  isRecurrenceRule(seriesOf(scheduleOf(trigger), writtenAt));

/**
 * When a schedule comes next. A time that the clocks skip comes as much later as they skip.
 *
 * @param writtenAt when it was written: a schedule without a first day begins on that one.
 * @returns undefined when the series is over, or its next day is beyond those that are reckoned with.
 */
export function nextTime(trigger: WorkflowTrigger, writtenAt: string, after: string): string | undefined {
  const schedule = scheduleOf(trigger);
  const series = seriesOf(schedule, writtenAt);
  // Of an hour that the clocks repeat the first may be meant, which has been already: look behind the second.
  for (let hours = 0; hours <= mostRepeated; hours += 1) {
    const from = new Date(Date.parse(after) + hours * hourMs).toISOString();
    const next = nextOccurrence(series, localTime(from, schedule.timezone));
    if (!next || !isCalendarDate(next.toISOString().slice(0, 10))) return undefined;
    const time = momentOf(next, schedule.timezone);
    if (time > after) return time;
  }
  return undefined;
}

/** All times of a schedule after one moment and until another, oldest first. */
export function timesBetween(trigger: WorkflowTrigger, writtenAt: string, after: string, until: string): string[] {
  const schedule = scheduleOf(trigger);
  const local = (moment: string, hours: number): Date =>
    localTime(new Date(Date.parse(moment) + hours * hourMs).toISOString(), schedule.timezone);
  const [from, to] = [local(after, -mostRepeated), local(until, mostRepeated)];
  const times = occurrencesBetween(seriesOf(schedule, writtenAt), from, to).map((at) =>
    momentOf(at, schedule.timezone),
  );
  return [...new Set(times)].filter((time) => time > after && time <= until);
}

const momentOf = (local: Date, timezone: string): string =>
  DateTime.fromJSDate(local, { zone: 'utc' }).setZone(timezone, { keepLocalTime: true }).toUTC().toISO() as string;

const hourMs = 3_600_000;
/** No clocks go back further. */
const mostRepeated = 24;
