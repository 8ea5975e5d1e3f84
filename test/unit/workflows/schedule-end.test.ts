import { isSchedule, nextTime } from '../../../src/features/workflows/schedule.js';

const written = '2030-06-02T00:00:00Z';
/** Eight in the morning in Tokyo on 3 June. */
const lastMoment = '20300602T230000Z';

const until = (timezone: string) => ({
  kind: 'schedule' as const,
  recurrence: `FREQ=DAILY;UNTIL=${lastMoment}`,
  timeOfDay: '08:00',
  startsOn: '2030-06-03',
  timezone,
});

describe('a schedule until a moment in UTC', () => {
  it('includes that moment', () => {
    expect(isSchedule(until('Asia/Tokyo'), written)).toBe(true);
    expect(nextTime(until('Asia/Tokyo'), written, written)).toBe('2030-06-02T23:00:00.000Z');
    expect(nextTime(until('Asia/Tokyo'), written, '2030-06-02T23:00:00.000Z')).toBeUndefined();
  });

  it('excludes later ones', () => {
    expect(isSchedule(until('America/New_York'), written)).toBe(false);
  });
});
