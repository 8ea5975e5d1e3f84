import { isCalendarDate, isTimestamp, isTimeZone } from '#operations';

describe('isTimestamp', () => {
  it.each([
    '2026-11-21T03:25:00Z',
    '2026-11-21T03:25:00.123456789+05:45',
    '2024-02-29T00:00:00-23:59',
    '0001-01-01T00:00:00Z',
    '9999-12-31T23:59:59.999Z',
  ])('takes %s', (value) => expect(isTimestamp(value)).toBe(true));

  it.each([
    '2026-11-21',
    '2026-11-21T03:25:00',
    '2026-11-21T03:25Z',
    '2026-11-21 03:25:00Z',
    '2026-11-21t03:25:00z',
    '2026-11-21T24:00:00Z',
    '2026-11-21T03:60:00Z',
    '2026-11-21T03:25:60Z',
    '2026-11-21T03:25:00+24:00',
    '2026-11-21T03:25:00+0100',
    '2026-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59-00:01',
    '12026-11-21T03:25:00Z',
    ' 2026-11-21T03:25:00Z',
    '2026-11-21T03:25:00Z\n',
    '',
    null,
    1_795_000_000_000,
  ])('rejects %s', (value) => expect(isTimestamp(value)).toBe(false));
});

describe('isCalendarDate', () => {
  it.each(['2026-11-21', '2024-02-29', '2000-02-29', '1000-01-01', '9000-12-31'])('takes %s', (value) =>
    expect(isCalendarDate(value)).toBe(true),
  );

  it.each([
    '2026-2-1',
    '2026-02-30',
    '1900-02-29',
    '2026-00-10',
    '2026-10-00',
    '0999-12-31',
    '9001-01-01',
    '2026-11-21Z',
    '',
    20_261_121,
  ])('rejects %s', (value) => expect(isCalendarDate(value)).toBe(false));
});

describe('isTimeZone', () => {
  it.each(['Europe/Lisbon', 'UTC', 'America/Argentina/Buenos_Aires', 'Asia/Kolkata'])('takes %s', (value) =>
    expect(isTimeZone(value)).toBe(true),
  );

  it.each(['+01:00', 'Mars/Olympus', '', 'Europe/', 'x'.repeat(65), 1, null])('rejects %s', (value) =>
    expect(isTimeZone(value)).toBe(false),
  );
});
