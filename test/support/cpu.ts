/** What an action takes of this thread's CPU, ms. A clock would also count what other processes took meanwhile. */
export async function cpuMs(action: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await action();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
