import type ICAL from 'ical.js';
import rrule from 'rrule';
import { dayMs, type WallTime, type WallTimes } from './wall-times.js';

const { RRule } = rrule;

/** The wall clock of the first and the last occurrence that is asked for. */
export interface Span {
  from: number;
  to: number;
}

/** How often stays can recur; anything else is refused, as some rules would take minutes to find nothing. */
const frequencies = new Set(['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY']);
const parts = new Set(['BYDAY', 'BYMONTH', 'BYMONTHDAY', 'BYSETPOS']);

/**
 * When the occurrences of a series begin, on the wall clock of its first one: DTSTART, RRULE and RDATE less EXDATE (RFC
 * 5545, section 3.8.5).
 *
 * @throws Error for a rule that is none, or that no stays follow.
 */
export function occurrencesOf(event: ICAL.Component, start: WallTime, times: WallTimes, { from, to }: Span): number[] {
  const listed = (name: string): number[] =>
    event
      .getAllProperties(name)
      .flatMap((property) =>
        property.getValues().map((value) => times.seenFrom(start.zone, times.read(property, value))),
      );
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
  const given = Object.keys(recur.parts);
  const isDaily = recur.freq === 'DAILY';
  const isSeldom = isDaily && given.some((part) => part !== 'BYMONTH' && (part !== 'BYDAY' || recur.interval > 1));
  if (!frequencies.has(recur.freq) || given.some((part) => !parts.has(part)) || isSeldom) {
    throw new Error('No stays recur by such a rule');
  }
  const options = RRule.parseString(recur.toString().replace(/;?UNTIL=[^;]*/, ''));
  if (!recur.until) return options;
  const until = times.read(property, recur.until);
  const last = times.seenFrom(start.zone, until) + (until.isDate && !start.isDate ? dayMs - 1 : 0);
  return { ...options, until: new Date(last) };
}
