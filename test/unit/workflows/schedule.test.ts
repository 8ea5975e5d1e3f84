import { nextTime } from '../../../src/workflows/schedule.js';

const daily = { kind: 'schedule' as const, recurrence: 'FREQ=DAILY', timeOfDay: '01:30', timezone: 'America/New_York' };
const written = '2026-01-01T00:00:00Z';

describe('nextTime', () => {
  // The clocks there go from 02:00 back to 01:00 on 1 November, at 06:00 UTC.
  it.each([
    ['2026-11-01T05:10:00Z', '2026-11-01T05:30:00.000Z'],
    ['2026-11-01T05:40:00Z', '2026-11-02T06:30:00.000Z'],
    ['2026-11-01T06:10:00Z', '2026-11-02T06:30:00.000Z'],
  ])('comes once where the clocks show its time twice: after %s', (after, next) => {
    expect(nextTime(daily, written, after)).toBe(next);
  });

  it.each(['FREQ=YEARLY;INTERVAL=6976', 'FREQ=YEARLY;INTERVAL=7974', 'FREQ=YEARLY;INTERVAL=9999'])(
    'of %s is over when the next is out of reach',
    (recurrence) => {
      const far = { ...daily, recurrence, timeOfDay: '23:30', timezone: 'America/Los_Angeles', startsOn: '2025-12-31' };
      expect(nextTime(far, written, '2025-12-30T00:00:00Z')).toBe('2026-01-01T07:30:00.000Z');
      expect(nextTime(far, written, written)).toBe('2026-01-01T07:30:00.000Z');
      expect(nextTime(far, written, '2026-01-02T00:00:00Z')).toBe(undefined);
    },
  );
});
