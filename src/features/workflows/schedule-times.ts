import { DateTime } from 'luxon';
import { localTime, occurrencesBetween, type Series } from '#recurrence';
import type { ScheduleTrigger } from './trigger.dto.js';

// Threads run these functions too (see ScheduleWork) and load every import, so there are few imports.

export const seriesOf = (
  { recurrence, timeOfDay, startsOn, timezone }: ScheduleTrigger,
  writtenAt: string,
): Series => ({
  rule: recurrence,
  start: new Date(`${startsOn ?? localDate(writtenAt, timezone)}T${timeOfDay}:00Z`),
  timezone,
});

export const localDate = (time: string, timezone: string): string =>
  DateTime.fromISO(time, { zone: timezone }).toISODate() as string;

/** All times of a schedule after one moment and until another, oldest first. */
export function timesBetween(schedule: ScheduleTrigger, writtenAt: string, after: string, until: string): string[] {
  const local = (moment: string, hours: number): Date =>
    localTime(new Date(Date.parse(moment) + hours * hourMs).toISOString(), schedule.timezone);
  const [from, to] = [local(after, -mostRepeated), local(until, mostRepeated)];
  const times = occurrencesBetween(seriesOf(schedule, writtenAt), from, to).map((at) =>
    momentOf(at, schedule.timezone),
  );
  return [...new Set(times)].filter((time) => time > after && time <= until);
}

export const momentOf = (local: Date, timezone: string): string =>
  DateTime.fromJSDate(local, { zone: 'utc' }).setZone(timezone, { keepLocalTime: true }).toUTC().toISO() as string;

export const hourMs = 3_600_000;
/** Clocks are never set back further than this. */
export const mostRepeated = 24;
