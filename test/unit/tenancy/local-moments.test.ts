import { dayAfter, dayIn, nextHour } from '../../../src/tenancy/stays/local-moments.js';
import { clock } from '../../support/clock.js';

afterEach(() => clock.restore());

it.each([
  ['forward', 6, 'Europe/Berlin', '2027-03-27T12:00:00Z', '2027-03-28T04:00:00.000Z'],
  ['back', 6, 'Europe/Berlin', '2027-10-30T12:00:00Z', '2027-10-31T05:00:00.000Z'],
  ['at midnight', 0, 'America/Santiago', '2027-09-04T12:00:00Z', '2027-09-05T04:00:00.000Z'],
  ['by half an hour', 6, 'Australia/Lord_Howe', '2027-04-03T12:00:00Z', '2027-04-03T19:30:00.000Z'],
  ['by a day', 0, 'Pacific/Apia', '2011-12-30T05:00:00Z', '2011-12-30T10:00:00.000Z'],
])('the next hour follows local clocks, where they go %s', (_how, hour, timezone, now, next) => {
  clock.set(now);
  expect(nextHour(hour, timezone)).toBe(next);
});

it('days follow the local calendar', () => {
  const inSamoa = (at: string): string => dayIn('Pacific/Apia', new Date(at));
  expect([inSamoa('2011-12-30T09:59:59Z'), inSamoa('2011-12-30T10:00:00Z')]).toEqual(['2011-12-29', '2011-12-31']);
  expect([dayAfter('2011-12-29', 1), dayAfter('2027-03-28', -1)]).toEqual(['2011-12-30', '2027-03-27']);
});
