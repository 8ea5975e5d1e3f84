import { readCalendar, UnreadableCalendar } from '../../../../src/features/reservations/ical/calendar-file.js';
import { staysOf } from '../../../../src/features/reservations/ical/channel-stays.js';
import { calendar } from '../../../support/calendar-server.js';
import { cpuMs } from '../../../support/cpu.js';

const read = (text: string, timezone = 'Europe/Lisbon') => readCalendar(text, { timezone, today: '2027-01-15' });

/** The dates and times of each event, as `date time – date time`. */
const timesIn = (...events: string[][]): string[] =>
  read(calendar(...events)).events.map(({ start, end }) =>
    [start, end].map(({ date, time }) => (time ? `${date} ${time}` : date)).join(' – '),
  );

const daily = (...rule: string[]): string[] =>
  timesIn(['UID:a', 'DTSTART;VALUE=DATE:20270201', 'DTEND;VALUE=DATE:20270202', ...rule]).map((text) =>
    text.slice(5, 10),
  );

describe('the start and end of an event', () => {
  it.each([
    [['DTSTART;VALUE=DATE:20270301'], '2027-03-01 – 2027-03-02'],
    [['DTSTART;VALUE=DATE:20270301', 'DTEND;VALUE=DATE:20270301'], '2027-03-01 – 2027-03-02'],
    [['DTSTART;VALUE=DATE:20270301', 'DURATION:P3D'], '2027-03-01 – 2027-03-04'],
    [['DTSTART:20270301T150000', 'DURATION:P1DT20H'], '2027-03-01 15:00:00 – 2027-03-03 11:00:00'],
    [['DTSTART:20270301T150000'], '2027-03-01 15:00:00 – 2027-03-01 15:00:00'],
    [['DTSTART:20270701T140000Z', 'DTEND:20270703T100000Z'], '2027-07-01 15:00:00 – 2027-07-03 11:00:00'],
    [
      ['DTSTART;TZID=Asia/Tokyo:20270701T060000', 'DTEND;TZID=Asia/Tokyo:20270703T090000'],
      '2027-06-30 22:00:00 – 2027-07-03 01:00:00',
    ],
    [['DTSTART;TZID=Nowhere:20270701T150000', 'DURATION:P1D'], '2027-07-01 15:00:00 – 2027-07-02 15:00:00'],
  ])('%j', (lines, expected) => {
    expect(timesIn(['UID:a', ...lines])).toEqual([expected]);
  });
});

describe('a series', () => {
  it.each([
    [['RRULE:FREQ=DAILY;COUNT=3'], ['02-01', '02-02', '02-03']],
    [['RRULE:FREQ=WEEKLY;UNTIL=20270215'], ['02-01', '02-08', '02-15']],
    [['RRULE:FREQ=MONTHLY;BYDAY=1MO;COUNT=2', 'EXDATE;VALUE=DATE:20270201'], ['03-01']],
    [['RDATE;VALUE=DATE:20270210,20270220'], ['02-01', '02-10', '02-20']],
    [
      ['RRULE:FREQ=DAILY;COUNT=2', 'RDATE;VALUE=DATE:20270202'],
      ['02-01', '02-02'],
    ],
    [['RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30'], ['02-01']],
  ])('of %j', (rule, expected) => {
    expect(daily(...rule)).toEqual(expected);
  });

  it('without an end continues for two years from today', () => {
    const { events } = read(calendar(['UID:a', 'DTSTART;VALUE=DATE:20200104', 'RRULE:FREQ=WEEKLY']));
    expect([events[0]?.start.date, events.at(-1)?.start.date]).toEqual(['2026-01-17', '2029-01-13']);
  });

  it('interprets its UTC UNTIL in the zone of the recurrence', () => {
    const weekly = ['UID:a', 'DTSTART;TZID=America/New_York:20270201T200000', 'DURATION:P1D'];
    expect(timesIn([...weekly, 'RRULE:FREQ=WEEKLY;UNTIL=20270209T010000Z'])).toHaveLength(2);
    expect(timesIn([...weekly, 'RRULE:FREQ=WEEKLY;UNTIL=20270209T005959Z'])).toHaveLength(1);
  });

  it('loses only the occurrence that is cancelled', () => {
    const master = ['UID:a', 'DTSTART;VALUE=DATE:20270201', 'RRULE:FREQ=DAILY;COUNT=2'];
    const exception = ['UID:a', 'RECURRENCE-ID;VALUE=DATE:20270202', 'DTSTART;VALUE=DATE:20270202', 'STATUS:CANCELLED'];
    const { events } = read(calendar(exception, master));
    expect(events.map(({ id, status }) => [id, status])).toEqual([
      ['a#2027-02-01', 'confirmed'],
      ['a#2027-02-02', 'cancelled'],
    ]);
  });

  it.each([
    'FREQ=SECONDLY',
    'FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=DAILY;INTERVAL=7;BYDAY=TU',
    'FREQ=DAILY;BYHOUR=1,2,3;BYMINUTE=1,2,3',
    'FREQ=WEEKLY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=DAILY;BYYEARDAY=366;BYMONTH=1',
    `FREQ=DAILY\r\nEXDATE:20270101T000000Z${',20270101T000000Z'.repeat(2_000)}`,
    'FREQ=NEVER',
    'nonsense',
  ])('without stays is rejected immediately: %s', async (rule) => {
    const text = calendar(['UID:strange', 'DTSTART;VALUE=DATE:20270201', `RRULE:${rule}`]);
    expect(await cpuMs(() => expect(() => read(text)).toThrow(UnreadableCalendar))).toBeLessThan(1_000);
  });
});

describe('a file', () => {
  const good = calendar(['UID:a', 'DTSTART;VALUE=DATE:20270201']);

  it('is read with a byte order mark, bare line feeds and folded lines', () => {
    const folded = good.replace('UID:a', 'UID:a-very-lo\r\n ng-name');
    expect(read(`\uFEFF${folded}`).events[0]?.id).toBe('a-very-long-name');
    expect(read(good.replaceAll('\r\n', '\n')).events).toHaveLength(1);
  });

  it('may be empty of events', () => {
    expect(read(calendar()).events).toEqual([]);
  });

  it('counts the latest of several versions of an event', () => {
    const version = (sequence: number, day: string) => ['UID:a', `SEQUENCE:${sequence}`, `DTSTART;VALUE=DATE:${day}`];
    expect(timesIn(version(2, '20270301'), version(1, '20270401'))).toEqual(['2027-03-01 – 2027-03-02']);
  });

  it('names events without a UID by their dates', () => {
    expect(read(calendar(['DTSTART;VALUE=DATE:20270201', 'DTEND;VALUE=DATE:20270203'])).events[0]?.id).toBe(
      '2027-02-01/2027-02-03',
    );
  });

  it.each([
    ['', /did not return a calendar/],
    ['<!doctype html>', /did not return a calendar/],
    [good.replace('END:VCALENDAR\r\n', ''), /malformed or incomplete/],
    [good.slice(0, 120), /malformed or incomplete/],
    [calendar(['UID:b', 'SUMMARY:No start']), /The event b cannot be read/],
    [calendar(['UID:b', 'DTSTART:garbage']), /cannot be read|broken/],
    [calendar(['UID:b', 'DTSTART;VALUE=DATE:00010101']), /The event b cannot be read/],
    [calendar(['DTSTART;VALUE=DATE:garbage']), /malformed or incomplete/],
    [
      calendar(['UID:b', 'DTSTART;VALUE=DATE:20270201']).replace('PRODID:', 'PRODID;VALUE=DATE:'),
      /malformed or incomplete/,
    ],
    [
      calendar(...Array.from({ length: 10_001 }, (_, n) => [`UID:${n}`, 'DTSTART;VALUE=DATE:20270201'])),
      /more than 10000/,
    ],
  ])('that cannot be read whole is rejected (%#)', (text, why) => {
    expect(() => read(text)).toThrow(UnreadableCalendar);
    expect(() => read(text)).toThrow(why);
  });

  it('creates no stay from an event without a night, of years, or too far in the future', () => {
    const file = read(
      calendar(
        ['UID:visit', 'DTSTART:20270301T100000', 'DTEND:20270301T120000'],
        ['UID:forever', 'DTSTART;VALUE=DATE:20270301', 'DTEND;VALUE=DATE:20310301'],
        ['UID:never', 'DTSTART;VALUE=DATE:99991230', 'DTEND;VALUE=DATE:99991231'],
      ),
    );
    expect(staysOf(file, { propertyId: 'property_1', unitId: null })).toEqual([]);
  });

  it('returns only text: no markup, no control characters, limited in length', () => {
    const words = ['SUMMARY:<script>x</script>a\u0000b', `DESCRIPTION:${'long '.repeat(2_000)}`];
    const [stay] = staysOf(read(calendar(['UID:a', 'DTSTART;VALUE=DATE:20270201', ...words])), {
      propertyId: 'property_1',
      unitId: null,
    });
    expect(stay?.notes).toMatch(/^x a b\nlong /);
    expect(stay?.notes).toHaveLength(2_000);
  });
});
