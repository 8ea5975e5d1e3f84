import pg from 'pg';

type Parse = (text: string) => unknown;

/** Values of the `date` type: `YYYY-MM-DD`; a year outside 0001–9999 as in ECMAScript, `infinity` as it is. */
export const isoDate = (text: string): string => (text.length === 10 ? text : reshape(text));

/**
 * Values of the `timestamptz` type: ISO 8601 with milliseconds, `2026-11-21T03:25:00.123Z`, microseconds cut off. The
 * text is reshaped, fifteen times as quick as by way of a Date. Years as for `isoDate`.
 *
 * @throws RangeError when the session does not run in UTC.
 */
export function isoTime(text: string): string {
  const fourDigitYear = text[10] === ' ' && text.endsWith('+00');
  if (!fourDigitYear) return reshape(text);
  return `${text.slice(0, 10)}T${text.slice(11, 19)}${milliseconds(text.slice(19, -3))}Z`;
}

/** @param fraction of a second, as Postgres puts it: empty or a point and one to six digits. */
const milliseconds = (fraction: string): string => (fraction ? fraction.slice(0, 4).padEnd(4, '0') : '.000');

const shape = /^(?<year>\d+)(?<day>-\d\d-\d\d)(?: (?<time>\d\d:\d\d:\d\d)(?<fraction>\.\d+)?\+00)?(?<bc> BC)?$/;

/** The rare texts: years before 1 or after 9999, infinity. */
function reshape(text: string): string {
  if (text === 'infinity' || text === '-infinity') return text;
  const { year = '', day, time, fraction = '', bc } = shape.exec(text)?.groups ?? {};
  if (!year) throw new RangeError(`Not a date, or not a time in UTC: ${text}`);
  const date = `${isoYear(year, bc !== undefined)}${day}`;
  return time ? `${date}T${time}${milliseconds(fraction)}Z` : date;
}

/** ECMAScript's expanded years: six digits with a sign; the year before 1 is 0, so 44 BC is -000043. */
function isoYear(year: string, bc: boolean): string {
  if (!bc) return year.length > 4 ? `+${year.padStart(6, '0')}` : year;
  return year === '0001' ? '0000' : `-${String(Number(year) - 1).padStart(6, '0')}`;
}

/** Values of the `int8` type: a number as far as it is exact, beyond that the text. */
export function safeInteger(text: string): number | string {
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : text;
}

/** The types by their numbers in pg_type; pg-types names no array types. */
const parsers = new Map<number, Parse>([
  [20, safeInteger], // int8
  [1082, isoDate], // date
  [1184, isoTime], // timestamptz
  [1016, arrayOf(safeInteger)], // int8[]
  [1182, arrayOf(isoDate)], // date[]
  [1185, arrayOf(isoTime)], // timestamptz[]
  [1231, arrayOf(String)], // numeric[]: text, as a single numeric is
]);

/** For `new pg.Pool({ types })`: times and dates as ISO text, int8 as a number, the rest as pg has it. */
export const types: pg.CustomTypesConfig = {
  getTypeParser: (type: number, format?: 'text' | 'binary') =>
    (format === 'binary' ? undefined : parsers.get(type)) ?? parserOf(type, format),
};

function parserOf(type: number, format?: 'text' | 'binary'): Parse {
  return pg.types.getTypeParser(type, format) as Parse;
}

/** An array's elements are read as a single value is; nested arrays too. */
function arrayOf(parse: Parse): Parse {
  const parseTextArray = parserOf(1009) as (text: string) => unknown[];
  const element = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(element) : typeof value === 'string' ? parse(value) : null;
  return (text) => parseTextArray(text).map(element);
}
