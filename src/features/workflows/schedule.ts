import { isCalendarDate } from '#operations';
import { isRecurrenceRule, localTime, nextOccurrence } from '#recurrence';
import { hourMs, momentOf, mostRepeated, seriesOf } from './schedule-times.js';
import type { ScheduleTrigger } from './trigger.dto.js';

/** Whether its rule can be evaluated and ever occurs. */
export const isSchedule = (schedule: ScheduleTrigger, writtenAt: string): boolean =>
  isRecurrenceRule(seriesOf(schedule, writtenAt));

/**
 * The next time of a schedule. A time that the clocks skip is moved later by as much as they skip.
 *
 * @param writtenAt when it was written, which is the first day of a schedule without one.
 * @returns undefined if the series is over, or its next day is beyond the computed range.
 */
export function nextTime(schedule: ScheduleTrigger, writtenAt: string, after: string): string | undefined {
  const series = seriesOf(schedule, writtenAt);
  // In an hour that the clocks repeat, the first occurrence may be meant and may have passed, so the second is checked
  // too.
  for (let hours = 0; hours <= mostRepeated; hours += 1) {
    const from = new Date(Date.parse(after) + hours * hourMs).toISOString();
    const next = nextOccurrence(series, localTime(from, schedule.timezone));
    if (!next || !isCalendarDate(next.toISOString().slice(0, 10))) return undefined;
    const time = momentOf(next, schedule.timezone);
    if (time > after) return time;
  }
  return undefined;
}
