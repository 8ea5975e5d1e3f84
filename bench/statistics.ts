/** The value below which a share of the values lies, interpolated between neighbors; `values` need not be sorted. */
export function quantile(values: readonly number[], share: number): number {
  if (values.length === 0) throw new RangeError('There is no quantile of nothing');
  const sorted = values.toSorted((a, b) => a - b);
  const position = (sorted.length - 1) * share;
  const below = sorted[Math.floor(position)] as number;
  const above = sorted[Math.ceil(position)] as number;
  return below + (above - below) * (position - Math.floor(position));
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

export interface Spread {
  q1: number;
  median: number;
  q3: number;
}

export const spreadOf = (values: readonly number[]): Spread => ({
  q1: quantile(values, 0.25),
  median: median(values),
  q3: quantile(values, 0.75),
});

/** A copy in random order (Fisher and Yates). */
export function shuffled<T>(items: readonly T[], random: () => number = Math.random): T[] {
  const copy = [...items];
  for (let last = copy.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    [copy[last], copy[other]] = [copy[other] as T, copy[last] as T];
  }
  return copy;
}
