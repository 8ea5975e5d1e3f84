/** Whether every case runs (`npm run test:long`). `npm test` runs a fixed sample of what would take too long. */
export const isLong = process.env.TEST_LONG === '1';

/**
 * All cases in the long form; otherwise one of `every`, from the `offset`th on, so that tests with different offsets
 * run different cases.
 */
export const sampled = <T>(cases: readonly T[], every: number, offset = 0): readonly T[] =>
  isLong ? cases : cases.filter((_, index) => index % every === offset % every);
