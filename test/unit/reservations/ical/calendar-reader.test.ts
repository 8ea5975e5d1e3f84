import { UnreadableCalendar } from '../../../../src/reservations/ical/calendar-file.js';
import { readCalendarApart } from '../../../../src/reservations/ical/calendar-reader.js';

const options = { timezone: 'Europe/Lisbon', today: '2027-01-15' };
const calendar = (...lines: string[]): string =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Tests//EN', ...lines, 'END:VCALENDAR'].join('\r\n');
const event = (uid: number, ...more: string[]): string[] => [
  'BEGIN:VEVENT',
  `UID:${uid}`,
  'DTSTART;VALUE=DATE:19800101',
  'DTEND;VALUE=DATE:19800102',
  ...more,
  'END:VEVENT',
];

/** Daily since 1980, thousands of times over: minutes of work. */
const hostile = calendar(
  ...Array.from({ length: 4_000 }, (_, uid) => event(uid, 'RRULE:FREQ=DAILY;INTERVAL=1')).flat(),
);

it('reads a file', async () => {
  const { product, events } = await readCalendarApart(calendar(...event(1)), options);
  expect(product).toBe('-//Tests//EN');
  expect(events).toEqual([expect.objectContaining({ uid: '1', start: { date: '1980-01-01', time: null } })]);
});

it('tells why a file cannot be read', async () => {
  const read = readCalendarApart('<html>', options);
  await expect(read).rejects.toThrow(UnreadableCalendar);
  await expect(read).rejects.toThrow('does not begin with BEGIN:VCALENDAR');
});

it('ends a file that takes too long, and lets everything else go on meanwhile', async () => {
  let isOver = false;
  const read = readCalendarApart(hostile, options, 1_000).finally(() => (isOver = true));
  read.catch(() => undefined);
  let turns = 0;
  for (; !isOver; turns += 1) await new Promise((resolve) => setImmediate(resolve));
  await expect(read).rejects.toThrow(UnreadableCalendar);
  await expect(read).rejects.toThrow('takes too long');
  expect(turns).toBeGreaterThan(100);
});
