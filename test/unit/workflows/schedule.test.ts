import { nextTime } from '../../../src/features/workflows/schedule.js';
import { timesBetween } from '../../../src/features/workflows/schedule-times.js';
import { leastCpuMs } from '../../support/cpu.js';

const daily = { kind: 'schedule' as const, recurrence: 'FREQ=DAILY', timeOfDay: '01:30', timezone: 'America/New_York' };
const written = '2026-01-01T00:00:00Z';

describe('timesBetween', () => {
  const after = (trigger: typeof daily & { startsOn?: string }, from: string, until: string): string[] => {
    const times: string[] = [];
    for (let at = nextTime(trigger, written, from); at && at <= until; at = nextTime(trigger, written, at))
      times.push(at);
    return times;
  };

  it.each([
    ['FREQ=DAILY', 'America/New_York', '01:30', '2026-10-20T05:30:00.000Z', '2026-11-10T06:30:00.000Z'],
    ['FREQ=DAILY', 'America/New_York', '02:30', '2026-03-01T07:30:00.000Z', '2026-03-20T06:30:00.000Z'],
    [
      'FREQ=WEEKLY;BYDAY=SU,MO;COUNT=30',
      'Europe/Lisbon',
      '01:30',
      '2026-03-20T00:00:00.000Z',
      '2026-04-10T00:00:00.000Z',
    ],
    [
      'FREQ=MONTHLY;BYMONTHDAY=-1',
      'Pacific/Kiritimati',
      '23:00',
      '2026-01-31T08:59:59.999Z',
      '2026-05-01T00:00:00.000Z',
    ],
    ['FREQ=DAILY;UNTIL=20260310', 'UTC', '09:00', '2026-03-01T09:00:00.000Z', '2026-03-20T00:00:00.000Z'],
  ])('of %s in %s at %s are consecutive', (recurrence, timezone, timeOfDay, from, until) => {
    const trigger = { ...daily, recurrence, timezone, timeOfDay };
    const times = timesBetween(trigger, written, from, until);
    expect(times.length).toBeGreaterThan(2);
    expect(times).toEqual(after(trigger, from, until));
  });

  it('have one time for two days of which the clocks skip one', () => {
    // There was no 30 December 2011 in Samoa.
    const samoa = { ...daily, timezone: 'Pacific/Apia', timeOfDay: '09:00', startsOn: '2011-12-01' };
    const times = timesBetween(samoa, written, '2011-12-28T00:00:00Z', '2012-01-02T00:00:00Z');
    expect(times).toEqual(after(samoa, '2011-12-28T00:00:00Z', '2012-01-02T00:00:00Z'));
    expect(new Set(times).size).toBe(times.length);
  });

  it('take little time, however many came before', async () => {
    const long = { ...daily, recurrence: 'FREQ=DAILY;COUNT=9999', startsOn: '2016-01-01' };
    const find = () =>
      expect(timesBetween(long, written, '2026-01-01T00:00:00Z', '2026-01-31T00:00:00Z')).toHaveLength(30);
    expect(await leastCpuMs(find)).toBeLessThan(150);
  });
});

describe('nextTime', () => {
  // The clocks there go from 02:00 back to 01:00 on 1 November, at 06:00 UTC.
  it.each([
    ['2026-11-01T05:10:00Z', '2026-11-01T05:30:00.000Z'],
    ['2026-11-01T05:40:00Z', '2026-11-02T06:30:00.000Z'],
    ['2026-11-01T06:10:00Z', '2026-11-02T06:30:00.000Z'],
  ])('occurs once if the clocks show its time twice: after %s', (after, next) => {
    expect(nextTime(daily, written, after)).toBe(next);
  });

  it.each(['FREQ=YEARLY;INTERVAL=6976', 'FREQ=YEARLY;INTERVAL=7974', 'FREQ=YEARLY;INTERVAL=9999'])(
    'of %s ends when the next time is too far in the future',
    (recurrence) => {
      const far = { ...daily, recurrence, timeOfDay: '23:30', timezone: 'America/Los_Angeles', startsOn: '2025-12-31' };
      expect(nextTime(far, written, '2025-12-30T00:00:00Z')).toBe('2026-01-01T07:30:00.000Z');
      expect(nextTime(far, written, written)).toBe('2026-01-01T07:30:00.000Z');
      expect(nextTime(far, written, '2026-01-02T00:00:00Z')).toBe(undefined);
    },
  );
});
