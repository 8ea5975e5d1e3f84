import rrule from 'rrule';
import { isRecurrenceRule, nextOccurrence } from '#recurrence';
import { cpuMs, leastCpuMs } from '../../support/cpu.js';

const start = new Date('2030-06-02T08:00:00Z');
const seriesBy = (rule: string, timezone = 'UTC') => ({ rule, start, timezone });

describe('isRecurrenceRule', () => {
  it.each([
    'FREQ=DAILY',
    'FREQ=DAILY;INTERVAL=3;COUNT=5',
    'FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR',
    'FREQ=WEEKLY;BYDAY=MO;INTERVAL=2;WKST=SU',
    'FREQ=MONTHLY;BYMONTHDAY=-1',
    'FREQ=MONTHLY;INTERVAL=3;BYDAY=1MO',
    'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1',
    'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29',
    'FREQ=MONTHLY;BYDAY=-5FR',
    'FREQ=YEARLY;UNTIL=20400101T000000Z',
    'FREQ=DAILY;UNTIL=20400101',
  ])('takes %s', (rule) => {
    expect(isRecurrenceRule(seriesBy(rule))).toBe(true);
  });

  it.each([
    'every day',
    '',
    'BYDAY=MO',
    'FREQ=HOURLY',
    'FREQ=SECONDLY',
    'FREQ=DAILY;INTERVAL=0',
    'FREQ=DAILY;BYHOUR=9,17',
    'FREQ=DAILY;BYMINUTE=0,30',
    'FREQ=DAILY;UNTIL=20200101T000000Z',
    'DTSTART:20300101T000000Z\nRRULE:FREQ=DAILY',
    'FREQ=DAILY;TZID=Europe/Lisbon',
    'FREQ=YEARLY;BYEASTER=500',
    'FREQ=SECONDLY;FREQ=DAILY',
    'FREQ=DAILY;INTERVAL=1;INTERVAL=2',
    'FREQ=DAILY;COUNT=-1',
    'FREQ=DAILY;COUNT=10000',
    'FREQ=DAILY;INTERVAL=1.5',
    'FREQ=DAILY;INTERVAL=2=3',
    'FREQ=DAILY;WKST=XX',
    'FREQ=DAILY;UNTIL=tomorrow',
    'FREQ=DAILY;UNTIL=20401301',
    'FREQ=DAILY;UNTIL=20310229',
    'FREQ=WEEKLY;BYDAY=1MO',
    'FREQ=MONTHLY;BYDAY=MO;BYSETPOS=',
    'FREQ=MONTHLY;BYDAY=MO;BYSETPOS=0',
  ])('rejects %s', (rule) => {
    expect(isRecurrenceRule(seriesBy(rule))).toBe(false);
  });

  it.each([
    'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=MONTHLY;BYMONTHDAY=40',
    'FREQ=DAILY;BYSETPOS=300',
    'FREQ=MONTHLY;BYDAY=MO;BYSETPOS=300',
    'FREQ=MONTHLY;BYDAY=1MO;BYSETPOS=2',
    'FREQ=DAILY;INTERVAL=7;BYDAY=TU',
    'FREQ=MONTHLY;INTERVAL=2;BYMONTH=3',
    'FREQ=DAILY;BYMONTH=13',
    'FREQ=DAILY;BYMONTH=0',
    'FREQ=WEEKLY;BYMONTH=0',
    'FREQ=WEEKLY;BYMONTH=13',
    'FREQ=MONTHLY;BYMONTHDAY=31;BYDAY=1MO',
    'FREQ=MONTHLY;BYDAY=53MO',
    'FREQ=MONTHLY;INTERVAL=12;BYMONTHDAY=31',
    'FREQ=YEARLY;INTERVAL=998;BYMONTH=2;BYMONTHDAY=29',
  ])('rejects %s', (rule) => {
    expect(isRecurrenceRule(seriesBy(rule))).toBe(false);
  });

  it.each([
    'FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=MONTHLY;BYDAY=1MO;BYSETPOS=2',
    'FREQ=DAILY;INTERVAL=7;BYDAY=TU',
    'FREQ=MONTHLY;BYMONTHDAY=31;BYDAY=1MO',
  ])('rejects %s, which may have no occurrence, without searching for one', async (rule) => {
    const many = () => Array.from({ length: 40 }, () => isRecurrenceRule(seriesBy(rule)));
    expect(await cpuMs(() => expect(new Set(many())).toEqual(new Set([false])))).toBeLessThan(200);
  });
});

const endless = [
  'FREQ=DAILY;INTERVAL=-1',
  'FREQ=WEEKLY;INTERVAL=-2',
  'FREQ=MONTHLY;INTERVAL=-1',
  'FREQ=DAILY;INTERVAL=x',
  'FREQ=YEARLY;INTERVAL=x',
  'FREQ=DAILY;INTERVAL=',
];

describe.each(endless)('%s, which would keep the library counting forever', (rule) => {
  it('is rejected', () => {
    expect(isRecurrenceRule(seriesBy(rule))).toBe(false);
  });

  it('has no next occurrence, if it was accepted before', () => {
    expect(nextOccurrence(seriesBy(rule), start)).toBeUndefined();
  });
});

describe('nextOccurrence', () => {
  it.each([
    ['FREQ=DAILY', '2030-06-02T08:00:00Z', '2030-06-03T08:00:00.000Z'],
    ['FREQ=DAILY', '2030-06-20T12:00:00Z', '2030-06-21T08:00:00.000Z'],
    ['FREQ=MONTHLY;BYMONTHDAY=31', '2030-06-02T08:00:00Z', '2030-07-31T08:00:00.000Z'],
    ['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29', '2096-03-01T00:00:00Z', '2104-02-29T08:00:00.000Z'],
    ['FREQ=MONTHLY;BYDAY=1MO', '2030-06-04T00:00:00Z', '2030-07-01T08:00:00.000Z'],
    ['FREQ=DAILY;COUNT=1', '2030-06-02T08:00:00Z', undefined],
    ['FREQ=DAILY;UNTIL=20300603T235959Z', '2030-06-03T08:00:00Z', undefined],
  ])('of %s after %s', (rule, after, expected) => {
    expect(nextOccurrence(seriesBy(rule), new Date(after))?.toISOString()).toBe(expected);
  });
});

describe('a series of centuries', () => {
  const old = (rule: string) => ({ rule, start: new Date('1601-01-01T08:00:00Z'), timezone: 'UTC' });
  const now = new Date('2026-11-22T12:00:00Z');

  it.each([
    'FREQ=DAILY',
    'FREQ=DAILY;BYMONTH=2,7',
    'FREQ=WEEKLY;BYDAY=SA,SU,MO',
    'FREQ=MONTHLY;BYDAY=1MO',
    'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29',
  ])('of %s takes no longer than another', async (rule) => {
    // The library first creates its tables for the years.
    nextOccurrence(old(rule), now);
    expect(await leastCpuMs(() => expect(nextOccurrence(old(rule), now)).toBeDefined())).toBeLessThan(200);
  });

  it.each([
    'FREQ=DAILY;INTERVAL=3',
    'FREQ=DAILY;BYDAY=TU,TH;BYMONTH=12',
    'FREQ=DAILY;UNTIL=16200101T080000Z',
    'FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,MO',
    'FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,MO;WKST=SU',
    'FREQ=WEEKLY;INTERVAL=5;BYMONTH=3',
  ])('of %s occurs when the library says', (rule) => {
    const series = old(rule);
    const { RRule } = rrule;
    const plain = new RRule({ ...RRule.parseString(rule), dtstart: series.start });
    const expected = plain.between(new Date('1611-05-01T08:00:00Z'), new Date('1613-06-01T08:00:00Z'));
    const found: Date[] = [];
    let next = nextOccurrence(series, new Date('1611-05-01T08:00:00Z'));
    for (; next && next < new Date('1613-06-01T08:00:00Z'); next = nextOccurrence(series, next)) found.push(next);
    expect(expected.length).toBeGreaterThan(1);
    expect(found).toEqual(expected);
  });
});

describe('UNTIL', () => {
  const last = (until: string, timezone: string): string | undefined => {
    const series = seriesBy(`FREQ=DAILY;UNTIL=${until}`, timezone);
    let time: Date | undefined = start;
    for (let next: Date | undefined = start; next; next = nextOccurrence(series, next)) time = next;
    return time.toISOString().slice(0, 10);
  };

  it.each([
    // Eight in the morning of 4 June in Tokyo, and a second before.
    ['20300603T230000Z', 'Asia/Tokyo', '2030-06-04'],
    ['20300603T225959Z', 'Asia/Tokyo', '2030-06-03'],
    ['20300604T120000Z', 'America/New_York', '2030-06-04'],
    ['20300604T115959Z', 'America/New_York', '2030-06-03'],
    ['20300604T080000', 'Asia/Tokyo', '2030-06-04'],
    ['20300604', 'Asia/Tokyo', '2030-06-04'],
  ])('%s in %s makes %s the last day', (until, timezone, day) => {
    expect(last(until, timezone)).toBe(day);
  });

  it('before the start in the zone of the series leaves none', () => {
    const rule = 'FREQ=DAILY;UNTIL=20300602T080000Z';
    expect(isRecurrenceRule(seriesBy(rule, 'Asia/Tokyo'))).toBe(true);
    expect(isRecurrenceRule(seriesBy(rule, 'America/New_York'))).toBe(false);
  });
});
