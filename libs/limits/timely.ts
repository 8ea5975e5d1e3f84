/**
 * A limiter that takes longer than `timeoutMs` is as good as down. What the limiter has answered by the time that the timer fires still counts, though it waits to be read: a process
 * that is busy for 50 ms is no limiter that is late.
 *
 * @throws what the limiter throws, and Error where it says nothing in time.
 */
export async function timely<T>(verdict: T | Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const giveUp = (): void => reject(new Error(`No answer within ${timeoutMs} ms`));
    timer = setTimeout(() => setImmediate(giveUp), timeoutMs);
  });
  return await Promise.race([verdict, late]).finally(() => clearTimeout(timer));
}
