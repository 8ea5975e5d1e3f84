/**
 * What takes longer than `timeoutMs` is as good as down. An answer that has come by the time that the timer fires still
 * counts, though it waits to be read: timers go before what the sockets brought, and a process that was busy for a
 * moment is no server that is late.
 *
 * @throws what the work throws, and Error where it says nothing in time.
 */
export async function timely<T>(work: T | Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const giveUp = (): void => reject(new Error(`No answer within ${Math.round(timeoutMs)} ms`));
    timer = setTimeout(() => setImmediate(giveUp), timeoutMs);
  });
  return await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
