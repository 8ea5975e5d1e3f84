/** At this level and above, all requests are rejected. */
export const allRefused = 4;

/**
 * Who is rejected while the event loop is late: the owners that used most of its recent time. At the first level they
 * account for half of it, at each further level for half of the rest; then all are rejected. An owner that used less
 * than an equal share is not a cause.
 */
export function refusedAt(level: number, recent: ReadonlyMap<string, number>): Set<string> {
  const refused = new Set<string>();
  if (level <= 0) return refused;
  const total = [...recent.values()].reduce((sum, ms) => sum + ms, 0);
  const accounted = total * (1 - 0.5 ** level);
  let sum = 0;
  for (const [owner, ms] of [...recent].toSorted(([, one], [, other]) => other - one)) {
    if (sum >= accounted || ms < total / recent.size) break;
    refused.add(owner);
    sum += ms;
  }
  return refused;
}
