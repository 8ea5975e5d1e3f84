// class-validator has rules of these names, but they accept too much: isRFC3339 takes 31 February, isEmail takes invisible
// characters, isTimeZone takes +01:00, isISO8601 takes weeks. So field() gives it these rules.

const timestamp = /^(\d{4})-(\d\d)-(\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;
/** What RFC 5321 allows and people use: a local part, an @, a domain with a dot; no invisible characters. */
const email = /^[^\s\p{C}@"<>(),;:\\[\]]{1,64}@[^\s\p{C}@.]+(\.[^\s\p{C}@.]+)+$/u;
const calendarDate = /^(\d{4})-(\d\d)-(\d\d)$/;

function isDay(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return year > 0 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** The first and the last moment whose UTC year has four digits, which is what Postgres and RFC 3339 can both write. */
const [firstMoment, lastMoment] = [Date.parse('0001-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59.999Z')];

/** RFC 3339 date-time with an offset, of a day that exists. */
export function isTimestamp(value: unknown): value is string {
  const parts = typeof value === 'string' && timestamp.exec(value);
  if (!parts || !isDay(...dayOf(parts))) return false;
  const moment = Date.parse(parts[0]);
  return moment >= firstMoment && moment <= lastMoment;
}

/** One year inside these limits, years still have four digits in every time zone, so such times sort like text. */
export const [firstYear, lastYear] = [1_000, 9_000];

/** RFC 3339 full-date of an existing day, within the supported years. */
export function isCalendarDate(value: unknown): value is string {
  const parts = typeof value === 'string' && calendarDate.exec(value);
  if (!parts) return false;
  const day = dayOf(parts);
  return day[0] >= firstYear && day[0] <= lastYear && isDay(...day);
}

/** At most 254 characters (RFC 5321, section 4.5.3.1.3). */
export const isEmail = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= 254 && email.test(value);

const currencies = new Set(Intl.supportedValuesOf('currency'));

/** A code of ISO 4217 that this runtime knows. */
export const isCurrency = (value: unknown): value is string => currencies.has(value as string);

const dayOf = (parts: RegExpExecArray): [number, number, number] => [
  Number(parts[1]),
  Number(parts[2]),
  Number(parts[3]),
];

const knownZones = new Map<string, boolean>();

/** An IANA time zone name that this runtime knows; offsets such as +01:00 are not accepted. */
export function isTimeZone(value: unknown): value is string {
  if (typeof value !== 'string' || !/^[A-Za-z]/.test(value) || value.length > 64) return false;
  let known = knownZones.get(value);
  if (known === undefined) {
    try {
      new Intl.DateTimeFormat('en', { timeZone: value });
      known = true;
    } catch {
      known = false;
    }
    if (knownZones.size < 1_000) knownZones.set(value, known);
  }
  return known;
}
