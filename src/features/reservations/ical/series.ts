import type ICAL from 'ical.js';
import rrule from 'rrule';
import { dayMs, type WallTime, type WallTimes } from './wall-times.js';

const { RRule } = rrule;

/** The wall clock times between which occurrences are requested. */
export interface Span {
  from: number;
  to: number;
}

const mostListed = 2_000;

/** The supported rules for recurring stays; others are rejected, because some take minutes to find nothing. */
const partsOf: Readonly<Record<string, readonly string[]>> = {
  DAILY: ['BYDAY', 'BYMONTH'],
  WEEKLY: ['BYDAY', 'BYMONTH'],
  MONTHLY: ['BYDAY', 'BYMONTH', 'BYMONTHDAY', 'BYSETPOS'],
  YEARLY: ['BYDAY', 'BYMONTH', 'BYMONTHDAY', 'BYSETPOS'],
};

/**
 * When the occurrences of a series start, on the wall clock of its first one: DTSTART, RRULE and RDATE less EXDATE (RFC
 * 5545, section 3.8.5).
 *
 * @throws Error for a rule that is invalid, or that no stays follow.
 */
export function occurrencesOf(event: ICAL.Component, start: WallTime, times: WallTimes, { from, to }: Span): number[] {
  const listed = (name: string): number[] => {
    const properties = event.getAllProperties(name);
    // The values follow the name, the parameters and the type (RFC 7265, section 3.4).
    const count = properties.reduce((sum, { jCal }) => sum + jCal.length - 3, 0);
    if (count > mostListed) throw new Error(`More than ${mostListed} dates are listed`);
    return properties.flatMap((property) =>
      property.getValues().map((value: unknown) => times.seenFrom(start.zone, times.read(property, value))),
    );
  };
  const ruled = event.getAllProperties('rrule').flatMap((property) => {
    const rule = new RRule({ ...optionsOf(property, start, times), dtstart: new Date(start.local) }, true);
    return rule.between(new Date(from), new Date(to), true).map((date) => date.getTime());
  });
  const left = new Set(listed('exdate'));
  // Some write the days that are left out without a time of day.
  const isLeftOut = (local: number): boolean => left.has(local) || left.has(local - (local % dayMs));
  return [...new Set([start.local, ...ruled, ...listed('rdate')])]
    .filter((local) => local >= from && local <= to && !isLeftOut(local))
    .sort((a, b) => a - b);
}

function optionsOf(property: ICAL.Property, start: WallTime, times: WallTimes) {
  const recur = property.getFirstValue() as ICAL.Recur;
  const known = partsOf[recur.freq] ?? [];
  const isKnown = recur.freq in partsOf && Object.keys(recur.parts).every((part) => known.includes(part));
  // Every seventh day and a Tuesday: these may never coincide.
  const mayNeverCome = recur.freq === 'DAILY' && recur.interval > 1 && 'BYDAY' in recur.parts;
  if (!isKnown || mayNeverCome) throw new Error('Stays cannot recur by this rule');
  const options = RRule.parseString(recur.toString().replace(/;?UNTIL=[^;]*/, ''));
  if (!recur.until) return options;
  const until = times.read(property, recur.until);
  const last = times.seenFrom(start.zone, until) + (until.isDate && !start.isDate ? dayMs - 1 : 0);
  return { ...options, until: new Date(last) };
}
