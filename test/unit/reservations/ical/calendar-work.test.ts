import { BackgroundThreads } from '#threads';
import { UnreadableCalendar } from '../../../../src/features/reservations/ical/calendar-file.js';
import { CalendarWork } from '../../../../src/features/reservations/ical/calendar-work.service.js';
import { turnsGivenUp } from '../../../support/turns.js';

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

const place = { propertyId: 'property_1', unitId: null };
const settings = { threads: 1, megabytes: 256, mostWaiting: 1, mostWaitingOfOwner: 1, waitMs: 30_000 };
const threads = new BackgroundThreads(settings, (...ended) => void outcomes.push(ended.join(' ')));
const outcomes: string[] = [];
const work = new CalendarWork(threads, threads);
const read = (text: string) => work.read('org', Buffer.from(text), options, place);
afterAll(() => threads.close());

it('reads the stays in a file', async () => {
  expect(await read(calendar(...event(1)))).toEqual([
    expect.objectContaining({ ...place, externalId: '1', checkInDate: '1980-01-01', arrivalTime: null }),
  ]);
});

it('imports the stays of a large file in several turns of the event loop', async () => {
  const uids = Array.from({ length: 1_000 }, (_, uid) => String(uid));
  const { result, turns } = await turnsGivenUp(() => read(calendar(...uids.flatMap((uid) => event(Number(uid))))));
  expect(result.map(({ externalId }) => externalId)).toEqual(uids);
  expect(turns).toBe(5);
});

it('returns why a file cannot be read', async () => {
  const reading = read('<html>');
  await expect(reading).rejects.toThrow(UnreadableCalendar);
  await expect(reading).rejects.toThrow('does not begin with BEGIN:VCALENDAR');
});

describe('a file with letters beyond ASCII', () => {
  const text = calendar(...event(1, 'DESCRIPTION:Zoë Müller'));
  const readIn = (bytes: Buffer, charset?: string) => work.read('org', bytes, { ...options, charset }, place);
  const read = async (bytes: Buffer, charset?: string) => JSON.stringify(await readIn(bytes, charset));

  it.each([
    ['iso-8859-1', 'latin1'],
    ['utf-8', 'utf8'],
    [undefined, 'utf8'],
  ] as const)('is read in the charset that its server names: %s', async (charset, encoding) => {
    expect(await read(Buffer.from(text, encoding), charset)).toContain('Zoë Müller');
  });

  it('is read also if a line is folded inside a letter', async () => {
    const bytes = Buffer.from(text.replace('Zoë', 'Zo*'));
    const at = bytes.indexOf('*');
    const folded = [bytes.subarray(0, at), Buffer.from('c30d0a20ab', 'hex'), bytes.subarray(at + 1)];
    expect(await read(Buffer.concat(folded))).toContain('Zoë Müller');
  });

  it.each([[undefined], ['us-nothing']])('is not read if it is not in its charset: %s', async (charset) => {
    const reading = readIn(Buffer.from(text, 'latin1'), charset);
    await expect(reading).rejects.toThrow(UnreadableCalendar);
    await expect(reading).rejects.toThrow(`is not in ${charset ?? 'utf-8'}`);
  });
});

it('stops a file that takes too long, while everything else continues', async () => {
  let isOver = false;
  const reading = read(hostile).finally(() => (isOver = true));
  reading.catch(() => undefined);
  let turns = 0;
  for (; !isOver; turns += 1) await new Promise((resolve) => setTimeout(resolve, 10));
  await expect(reading).rejects.toThrow(UnreadableCalendar);
  await expect(reading).rejects.toThrow('takes too long');
  expect(turns).toBeGreaterThan(100);
  expect(outcomes.at(-1)).toBe('calendar_in killed_time');
});
