/**
 * A server that takes longer than `timeoutMs` counts as down. A response that has arrived when the timer fires still
 * counts, even if it has not been read: timers run before sockets are read, and a process that was busy for a moment
 * does not make the server late.
 *
 * @throws what the work throws, or Error if it does not respond in time.
 */
export async function withTimeout<T>(work: T | Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const giveUp = (): void => reject(new Error(`No response within ${Math.round(timeoutMs)} ms`));
    timer = setTimeout(() => setImmediate(giveUp), timeoutMs);
  });
  return await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
