import { isRecurrenceRule, nextOccurrence } from '../../../src/organizations/recurrence-rule.js';

const start = new Date('2030-06-02T08:00:00Z');

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
    'FREQ=YEARLY;UNTIL=20400101T000000Z',
  ])('takes %s', (rule) => {
    expect(isRecurrenceRule(rule, start)).toBe(true);
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
  ])('refuses %s', (rule) => {
    expect(isRecurrenceRule(rule, start)).toBe(false);
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
  ])('refuses %s, which may never come, without looking for it', (rule) => {
    const before = performance.now();
    expect(isRecurrenceRule(rule, start)).toBe(false);
    expect(performance.now() - before).toBeLessThan(50);
  });
});

describe('nextOccurrence', () => {
  it.each([
    ['FREQ=DAILY', '2030-06-02T08:00:00Z', '2030-06-03T08:00:00.000Z'],
    ['FREQ=DAILY', '2030-06-20T12:00:00Z', '2030-06-21T08:00:00.000Z'],
    ['FREQ=MONTHLY;BYMONTHDAY=31', '2030-06-02T08:00:00Z', '2030-07-31T08:00:00.000Z'],
    ['FREQ=DAILY;COUNT=1', '2030-06-02T08:00:00Z', undefined],
    ['FREQ=DAILY;UNTIL=20300603T235959Z', '2030-06-03T08:00:00Z', undefined],
  ])('of %s after %s', (rule, after, expected) => {
    expect(nextOccurrence(rule, start, new Date(after))?.toISOString()).toBe(expected);
  });
});
