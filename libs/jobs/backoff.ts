/** @returns ISO 8601, by `Date`. */
export const inFuture = (ms: number, from = new Date()): string => new Date(from.getTime() + ms).toISOString();

/** The delay after a number of failures in a row, in milliseconds. It doubles each time, up to the maximum. */
export const doubling =
  (firstMs: number, longestMs: number) =>
  (failures: number): number =>
    Math.min(firstMs * 2 ** (failures - 1), longestMs);

/** A fixed number of attempts with a given delay before each. */
export interface Attempts {
  most: number;
  /** The delay after a number of attempts, in milliseconds; undefined after the last one. */
  restAfter(attempts: number): number | undefined;
}

/**
 * @param jitter the greatest relative deviation of a delay, so that jobs that failed together are not retried together.
 */
export const attemptsAfter = (restsMs: readonly number[], jitter = 0): Attempts => ({
  most: restsMs.length + 1,
  restAfter: (attempts) => {
    const restMs = restsMs[attempts - 1];
    return restMs && restMs * (1 + jitter * (2 * Math.random() - 1));
  },
});
