import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { unavailable } from '#errors';
import { randomBase62 } from '#regions';

/** argon2id (the library's default algorithm), 19 MiB, two passes (OWASP password storage). */
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * Each takes 19 MiB and a core for 15 ms. More of them in parallel, or on all cores, would starve the rest of the
 * service.
 */
const atOnce = Math.max(1, Math.min(4, availableParallelism() - 1));
/** Beyond this number (at most one to two seconds of work) new requests are rejected with Retry-After. */
const mostWaiting = 100;
const waiting: (() => void)[] = [];
let running = 0;

/** @throws service_unavailable (503) when too many passwords wait to be hashed. */
export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(password, options));

/**
 * @param hashed undefined for an unknown user: the work is the same, so that neither time nor text reveals who has an
 *   account.
 * @throws service_unavailable (503) as above.
 */
export async function verifyPassword(hashed: string | null | undefined, password: string): Promise<boolean> {
  nobodys ??= hashPassword(randomBase62());
  const given = hashed ?? (await nobodys);
  return (await inTurn(() => verify(given, password))) && hashed !== undefined && hashed !== null;
}

let nobodys: Promise<string> | undefined;

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (waiting.length >= mostWaiting) throw unavailable('Too many people are signing in. Try again in a moment.', 2);
  if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
  else running += 1;
  try {
    return await work();
  } finally {
    // The place goes to the next in line, and becomes free only if nobody waits.
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}
