import { DateTime } from 'luxon';

/** When the clocks of a time zone show the hour next. */
export function nextHour(hour: number, timezone: string): string {
  const now = DateTime.now().setZone(timezone);
  const today = now.set({ hour, minute: 0, second: 0, millisecond: 0 });
  return (today > now ? today : today.plus({ days: 1 })).toJSDate().toISOString();
}

/** When the clocks of a time zone show a time of a day; where they go forward over it, as much later. */
export const momentAt = (date: string, time: string, timezone: string): string =>
  DateTime.fromISO(`${date}T${time}`, { zone: timezone }).toJSDate().toISOString();

/** The calendar's day in a time zone, now or at another moment. */
export const dayIn = (timezone: string, at: Date = new Date()): string =>
  DateTime.fromJSDate(at).setZone(timezone).toISODate() as string;

/** The day that comes so many days later. */
export const dayAfter = (date: string, days: number): string =>
  DateTime.fromISO(date, { zone: 'utc' }).plus({ days }).toISODate() as string;

/** The moment of a local time, in SQL. Clocks that go back show it twice: the moment so far stays where it shows it. */
export const momentOf = (local: string, zone: string, soFar: string): string =>
  `case when ${soFar} at time zone ${zone} = ${local} then ${soFar} else (${local}) at time zone ${zone} end`;
