/**
 * Whether every case runs (`npm run test:long`). `npm test` takes a sample of what would take longer than it may: the
 * same cases each time.
 */
export const isLong = process.env.TEST_LONG === '1';

/**
 * All cases in the long form; otherwise one of `every`, from the `offset`th on, so that tests with different offsets
 * look at different cases.
 */
export const sampled = <T>(cases: readonly T[], every: number, offset = 0): readonly T[] =>
  isLong ? cases : cases.filter((_, index) => index % every === offset % every);
