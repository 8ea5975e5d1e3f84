/** At this level and above all are refused. */
export const allRefused = 4;

/**
 * Who is refused while the event loop is late: those whose work took the most of its time of late. At the first level
 * they account for half of it, at each further one for half of what was left; then all are refused. Whoever used less
 * than an equal part of it is no cause.
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
