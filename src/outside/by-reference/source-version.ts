import { isCounter } from '#operations';

/** The version that a record has in the system that saves it: a counter, or the time of its last change. */
export type SourceVersion = number | string;
export type SourceVersionForm = 'number' | 'time';

export const formOf = (version: SourceVersion): SourceVersionForm => (isCounter(version) ? 'number' : 'time');

/** Less than 0 if the first one is older. Times differ to the nanosecond, which Date does not know. */
export function compareVersions(one: SourceVersion, other: SourceVersion): number {
  const [first, second] = [placeOf(one), placeOf(other)];
  return first < second ? -1 : Number(first > second);
}

function placeOf(version: SourceVersion): bigint {
  if (isCounter(version)) return BigInt(version);
  const text = String(version);
  const [, fraction = ''] = /\.(\d+)/.exec(text) ?? [];
  const seconds = Date.parse(text.replace(/\.\d+/, '')) / 1_000;
  return BigInt(seconds) * 1_000_000_000n + BigInt(fraction.slice(0, 9).padEnd(9, '0'));
}
