import ICAL from 'ical.js';

/** The public part of a stay in a calendar: that the place is occupied. */
export interface FeedStay {
  id: string;
  checkInDate: string;
  checkOutDate: string;
  version: number;
  updatedAt: string;
}

/** An iCalendar file (RFC 5545) of stays as whole days, without anything about guests. */
export function writeCalendar(name: string, stays: readonly FeedStay[]): string {
  const calendar = new ICAL.Component('vcalendar');
  calendar.updatePropertyWithValue('version', '2.0');
  calendar.updatePropertyWithValue('prodid', '-//Property Operations Service//Stays//EN');
  calendar.updatePropertyWithValue('calscale', 'GREGORIAN');
  calendar.updatePropertyWithValue('method', 'PUBLISH');
  calendar.updatePropertyWithValue('x-wr-calname', name);
  for (const stay of stays) calendar.addSubcomponent(eventOf(stay));
  return `${calendar.toString()}\r\n`;
}

function eventOf({ id, checkInDate, checkOutDate, version, updatedAt }: FeedStay): ICAL.Component {
  const event = new ICAL.Component('vevent');
  const changed = ICAL.Time.fromJSDate(new Date(updatedAt), true);
  event.updatePropertyWithValue('uid', `${id}@property-operations`);
  event.updatePropertyWithValue('dtstamp', changed);
  event.updatePropertyWithValue('last-modified', changed);
  event.updatePropertyWithValue('sequence', version);
  event.updatePropertyWithValue('dtstart', ICAL.Time.fromDateString(checkInDate));
  event.updatePropertyWithValue('dtend', ICAL.Time.fromDateString(checkOutDate));
  event.updatePropertyWithValue('summary', 'Reserved');
  event.updatePropertyWithValue('status', 'CONFIRMED');
  event.updatePropertyWithValue('transp', 'OPAQUE');
  return event;
}
