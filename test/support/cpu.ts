/** The CPU time of an action in this thread, in ms. A clock would also count the time of other processes. */
export async function cpuMs(action: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await action();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
