export interface Line {
  name: string;
  values: readonly number[];
}

/**
 * An increase of more than this, and of more than this share, between the second third of the time and the last one.
 */
const noise = 15;
const share = 0.2;

/**
 * The first third fills caches, pools and the responses of a first day. What still grows from the second third to the
 * last one leaks.
 */
export function risingIn({ values }: Line): boolean {
  const third = Math.floor(values.length / 3);
  if (third === 0) return false;
  const [before, after] = [medianOf(values.slice(third, 2 * third)), medianOf(values.slice(-third))];
  return after - before > Math.max(noise, before * share);
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] as number;
}
