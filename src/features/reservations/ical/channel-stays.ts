import type { ImportedStay } from '../imports/imported-stay.js';
import type { CalendarEvent, CalendarFile } from './calendar-file.js';
import { dayMs } from './wall-times.js';

/** The place of a calendar's stays. */
export interface Place {
  propertyId: string;
  unitId: string | null;
}

const longestNights = 1_095;
/** Dates are reckoned with until then, as the interface says (isCalendarDate); its library is too large for a thread. */
const tooFarOff = '9001';
const longestNotes = 2_000;
const longestName = 200;

/** Who writes calendars of stays, known by PRODID or by the domain of the UIDs. */
const channels: readonly [name: string, sign: RegExp][] = [
  ['airbnb', /airbnb/i],
  ['booking.com', /booking\.com/i],
  ['vrbo', /vrbo|homeaway/i],
  ['google', /google/i],
];

/**
 * The stays that the events of a file represent. Events without a night, that last years, or that are too far away do
 * not count.
 */
export function staysOf({ product, events }: CalendarFile, place: Place): ImportedStay[] {
  return events.filter(isStay).map((event) => stayOf(event, product, place));
}

function isStay({ start, end }: CalendarEvent): boolean {
  const nights = (Date.parse(end.date) - Date.parse(start.date)) / dayMs;
  return nights >= 1 && nights <= longestNights && /^\d{4}-/.test(end.date) && end.date < tooFarOff;
}

function stayOf(event: CalendarEvent, product: string, place: Place): ImportedStay {
  const { id, uid, status, summary, description, start, end } = event;
  const channel =
    channels.find(([, sign]) => sign.test(product) || sign.test(uid.slice(uid.indexOf('@'))))?.[0] ?? 'ical';
  return {
    ...place,
    externalId: id,
    checkInDate: start.date,
    checkOutDate: end.date,
    arrivalTime: start.time,
    departureTime: end.time,
    status: status === 'tentative' ? 'pending' : status,
    channel,
    confirmationCode: confirmationCode(description),
    guestName: guestName(channel, plain(summary)),
    notes: plain(`${summary}\n${description}`).slice(0, longestNotes) || null,
  };
}

/** Airbnb's events lead to the reservation by its code. */
const confirmationCode = (description: string): string | null =>
  /\/reservations\/details\/([A-Z0-9]{6,20})\b/.exec(description)?.[1] ?? null;

/** Only Vrbo's feed names guests: "Reserved - Ana". Free text of other calendars may be anything. */
const guestName = (channel: string, summary: string): string | null =>
  (channel === 'vrbo' && /^Reserved - (.+)$/s.exec(summary)?.[1]?.trim().slice(0, longestName)) || null;

/** Only text: a feed's content is data, and neither markup nor control characters. */
const plain = (text: string): string =>
  text
    .replaceAll(/<[^<>]*>/g, ' ')
    .replaceAll(/[^\P{Cc}\n]/gu, ' ')
    .toWellFormed()
    .replaceAll(/ {2,}/g, ' ')
    .replaceAll(/ ?\n ?/g, '\n')
    .trim();
