/** A limiter that takes longer than this is as good as down. */
const storeTimeoutMs = 50;

/** @throws what the limiter throws, and Error where it says nothing in time. */
export async function timely<T>(verdict: T | Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer within ${storeTimeoutMs} ms`)), storeTimeoutMs);
  });
  return await Promise.race([verdict, late]).finally(() => clearTimeout(timer));
}
