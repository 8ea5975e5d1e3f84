/** The CPU time of an action in this thread, in ms. A clock would also count the time of other processes. */
export async function cpuMs(action: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await action();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

/**
 * The least of three times, without what compiling, garbage and neighbours on the same core add to one of them. Not for
 * what keeps its result.
 */
export const leastCpuMs = async (action: () => unknown): Promise<number> =>
  Math.min(await cpuMs(action), await cpuMs(action), await cpuMs(action));
