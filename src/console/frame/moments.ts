import { DateTime } from 'luxon';

/** A moment on a clock, with the year unless it is the current one. */
export function momentOn(timezone: string, at: string): string {
  const local = DateTime.fromISO(at, { zone: timezone });
  const format = local.year === DateTime.now().setZone(timezone).year ? 'd LLL, HH:mm' : 'd LLL yyyy, HH:mm';
  return local.toFormat(format, { locale: 'en' });
}

const aMoment = /\b(at )?(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)/g;

/** A sentence of the API with its times as the pages show them. */
export const withMoments = (sentence: string, timezone: string): string =>
  sentence.replaceAll(
    aMoment,
    (_, before: string | undefined, at: string) => `${before ? 'on ' : ''}${momentOn(timezone, at)}`,
  );
