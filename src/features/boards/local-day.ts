import type { Property } from '../../tenancy/properties/property.entity.js';
import { midnightAfter, dayIn } from '../../tenancy/stays/local-moments.js';

/** A day of a property, and the day that it is there. */
export interface LocalDay {
  date: string;
  today: string;
  timezone: string;
  /** The midnight after it. */
  ends: string;
}

export function localDay({ timezone }: Pick<Property, 'timezone'>, asked?: string): LocalDay {
  const today = dayIn(timezone);
  const date = asked ?? today;
  return { date, today, timezone, ends: midnightAfter(date, timezone) };
}
