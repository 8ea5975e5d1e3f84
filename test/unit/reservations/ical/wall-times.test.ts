import { DateTime } from 'luxon';
import { namedZone } from '../../../../src/features/reservations/ical/wall-times.js';

const local = (text: string): number => Date.parse(`${text}Z`);
const minuteMs = 60_000;

describe.each(['Europe/Lisbon', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'UTC'])(
  'the clock of %s',
  (name) => {
    const zone = namedZone(name);

    it('converts there and back through a year, except for the repeated hour', () => {
      for (let instant = local('2027-01-01T00:00'); instant < local('2028-01-01T00:00'); instant += 367 * minuteMs) {
        expect(zone.toLocal(instant)).toBe(
          DateTime.fromMillis(instant, { zone: name }).setZone('utc', { keepLocalTime: true }).toMillis(),
        );
        expect(zone.toLocal(zone.toInstant(zone.toLocal(instant)))).toBe(zone.toLocal(instant));
      }
    });
  },
);

it('counts a skipped time from before the change', () => {
  // On 28 March 2027 Lisbon's clocks go from 01:00 to 02:00.
  expect(namedZone('Europe/Lisbon').toInstant(local('2027-03-28T01:30'))).toBe(Date.parse('2027-03-28T01:30Z'));
  // On 14 March 2027 New York's go from 02:00 (EST) to 03:00.
  expect(namedZone('America/New_York').toInstant(local('2027-03-14T02:30'))).toBe(Date.parse('2027-03-14T07:30Z'));
});
