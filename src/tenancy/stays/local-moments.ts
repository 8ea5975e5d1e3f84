import { DateTime } from 'luxon';

/** When the clocks of a time zone show the hour next. */
export function nextHour(hour: number, timezone: string): string {
  const now = DateTime.now().setZone(timezone);
  const today = now.set({ hour, minute: 0, second: 0, millisecond: 0 });
  return (today > now ? today : today.plus({ days: 1 })).toJSDate().toISOString();
}

/** The day that it is in a time zone. */
export const todayIn = (timezone: string): string => DateTime.now().setZone(timezone).toISODate() as string;
