import { createHash } from 'node:crypto';
import ICAL from 'ical.js';
import { occurrencesOf, type Span } from './series.js';
import { dayMs, namedZone, type WallTime, WallTimes } from './wall-times.js';

/** A day and a time of day, local to the property; an event of whole days has no times of day. */
export interface LocalTime {
  date: string;
  time: string | null;
}

/** One event, or one occurrence of a series, as its file describes it. */
export interface CalendarEvent {
  /** The UID; of an occurrence the UID and the RECURRENCE-ID. */
  id: string;
  uid: string;
  status: 'confirmed' | 'tentative' | 'cancelled';
  summary: string;
  description: string;
  start: LocalTime;
  end: LocalTime;
}

export interface CalendarFile {
  /** PRODID: what wrote it. */
  product: string;
  events: CalendarEvent[];
}

/** Why a file cannot be read, as a sentence for the people who look after the connection. */
export class UnreadableCalendar extends Error {}

const mostEvents = 10_000;
const longestUid = 255;
const earliestYear = 1970;

export interface CalendarOptions {
  /** The property's time zone, for times without a zone and for the returned days and times. */
  timezone: string;
  /** The day from which the window of recurring events counts: a year back, two years ahead. */
  today: string;
  /** What its server says that it is written in; UTF-8 if it says nothing. */
  charset?: string | undefined;
}

/**
 * Reads an iCalendar file (RFC 5545) whole or not at all.
 *
 * @throws UnreadableCalendar
 */
export function readCalendar(text: string, options: CalendarOptions): CalendarFile {
  try {
    return fileOf(parse(text), options);
  } catch (error) {
    if (error instanceof UnreadableCalendar) throw error;
    throw new UnreadableCalendar('The calendar is malformed or incomplete. Nothing was imported.', { cause: error });
  }
}

function fileOf(calendar: ICAL.Component, { timezone, today }: CalendarOptions): CalendarFile {
  const times = new WallTimes(namedZone(timezone));
  const now = Date.parse(today);
  const span = { from: now - 365 * dayMs, to: now + 2 * 365 * dayMs };
  const byUid = Map.groupBy(calendar.getAllSubcomponents('vevent'), uidOf);
  const events = [...byUid].flatMap(([uid, components]) => withUid(uid, () => eventsOf(uid, components, times, span)));
  if (events.length > mostEvents) throw tooMany();
  return {
    product: textOf(calendar, 'prodid'),
    events: [...new Map(events.map((event) => [event.id, event])).values()],
  };
}

function parse(text: string): ICAL.Component {
  if (!/^\uFEFF?\s*BEGIN:VCALENDAR/i.test(text)) {
    throw new UnreadableCalendar(
      'The address did not return a calendar: the response does not begin with BEGIN:VCALENDAR.',
    );
  }
  if ((text.match(/^BEGIN:VEVENT/gim)?.length ?? 0) > mostEvents) throw tooMany();
  const parsed = ICAL.parse(text.replace(/^\uFEFF?\s*/, '')) as unknown[];
  // A file may contain several calendars; a feed is the first of them.
  return new ICAL.Component(
    (Array.isArray(parsed[0]) ? parsed[0] : parsed) as ConstructorParameters<typeof ICAL.Component>[0],
  );
}

const tooMany = () => new UnreadableCalendar(`The calendar has more than ${mostEvents} events.`);

function withUid<T>(uid: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const name = uid.slice(0, 100).toWellFormed();
    throw new UnreadableCalendar(`The event ${name} cannot be read. Nothing was imported.`, {
      cause: error,
    });
  }
}

/**
 * An event without a UID, which RFC 5545 requires, is identified by its dates. A long UID is stored as its hash,
 * because two may start alike; control characters cannot be stored.
 */
function uidOf(event: ICAL.Component): string {
  const text = (name: string) =>
    textOf(event, name)
      .replaceAll(/\p{Cc}/gu, '')
      .trim();
  const uid = text('uid') || `${text('dtstart')}/${text('dtend')}`;
  return uid.length > longestUid ? createHash('sha256').update(uid).digest('hex') : uid;
}

function eventsOf(uid: string, components: ICAL.Component[], times: WallTimes, span: Span): CalendarEvent[] {
  const master = latest(components.filter((component) => !component.hasProperty('recurrence-id')));
  const exceptions = components.filter((component) => component.hasProperty('recurrence-id'));
  if (!master) return exceptions.map((component) => exceptionOf(uid, component, times));
  if (!master.hasProperty('rrule') && !master.hasProperty('rdate') && exceptions.length === 0) {
    return [eventOf(uid, uid, master, times)];
  }
  const { start, end } = timesOf(master, times);
  const occurrences = occurrencesOf(master, start, times, span).map((local) => {
    const [from, to] = [start, end].map((time) => ({ ...time, local: time.local - start.local + local }));
    return eventOf(occurrenceId(uid, from as WallTime), uid, master, times, { start: from, end: to } as Times);
  });
  const byId = new Map(occurrences.map((event) => [event.id, event]));
  for (const component of exceptions) {
    const event = exceptionOf(uid, component, times, start);
    byId.set(event.id, event);
  }
  return [...byId.values()];
}

/** Of several versions of an event the one with the highest SEQUENCE, of equals the last. */
const latest = (versions: ICAL.Component[]): ICAL.Component | undefined =>
  versions.toSorted((a, b) => sequenceOf(a) - sequenceOf(b)).at(-1);

const sequenceOf = (event: ICAL.Component): number => Number(event.getFirstPropertyValue('sequence')) || 0;

interface Times {
  start: WallTime;
  end: WallTime;
}

/** An occurrence that differs from its series; its id is when it would have started, on the series' clock. */
function exceptionOf(uid: string, component: ICAL.Component, times: WallTimes, series?: WallTime): CalendarEvent {
  const original = times.read(component.getFirstProperty('recurrence-id') as ICAL.Property);
  const zone = series?.zone ?? original.zone;
  const isDate = series?.isDate ?? original.isDate;
  const id = occurrenceId(uid, { local: times.seenFrom(zone, original), zone, isDate });
  return eventOf(id, uid, component, times);
}

const occurrenceId = (uid: string, { local, isDate }: WallTime): string =>
  `${uid}#${new Date(local).toISOString().slice(0, isDate ? 10 : 19)}`;

function eventOf(
  id: string,
  uid: string,
  component: ICAL.Component,
  times: WallTimes,
  { start, end }: Times = timesOf(component, times),
): CalendarEvent {
  const status = textOf(component, 'status').toLowerCase();
  return {
    id,
    uid,
    status: status === 'cancelled' || status === 'tentative' ? status : 'confirmed',
    summary: textOf(component, 'summary'),
    description: textOf(component, 'description'),
    start: localTime(start, times),
    end: localTime(end, times),
  };
}

/** When an event begins and ends; without DTEND and DURATION a day lasts until the next, a time not at all. */
function timesOf(component: ICAL.Component, times: WallTimes): Times {
  const start = times.read(component.getFirstProperty('dtstart') as ICAL.Property);
  if (new Date(start.local).getUTCFullYear() < earliestYear) throw new Error('The event is too long ago');
  const end = endOf(component, start, times);
  const isEmptyDay = start.isDate && end.local <= start.local;
  return { start, end: isEmptyDay ? { ...start, local: start.local + dayMs } : end };
}

function endOf(component: ICAL.Component, start: WallTime, times: WallTimes): WallTime {
  const end = component.getFirstProperty('dtend');
  if (end) return times.read(end);
  const duration = component.getFirstPropertyValue('duration');
  const seconds = duration instanceof ICAL.Duration ? duration.toSeconds() : 0;
  return { ...start, local: start.local + seconds * 1_000 };
}

function localTime(time: WallTime, times: WallTimes): LocalTime {
  const text = new Date(times.seenFrom(times.property, time)).toISOString();
  return { date: text.slice(0, 10), time: time.isDate ? null : text.slice(11, 19) };
}

const textOf = (component: ICAL.Component, name: string): string => String(component.getFirstPropertyValue(name) ?? '');
