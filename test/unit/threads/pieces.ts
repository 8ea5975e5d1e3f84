import { resourceLimits, threadId } from 'node:worker_threads';

/** What tests run in threads. */
export const add = (one: number, other: number): number => one + other;

export function loop(): never {
  for (;;);
}

export function grow(): never {
  for (const all: number[][] = []; ;) all.push(Array.from({ length: 10_000 }, () => Math.random()));
}

export function fail(message: string): never {
  throw new TypeError(message);
}

export const end = (): never => process.exit(3);

/** Blocks the thread, and signals when. */
export function hold(name: string, flags: Int32Array<SharedArrayBuffer>, index: number): string {
  Atomics.wait(flags, index, 0);
  return name;
}

export const environment = (): NodeJS.ProcessEnv => ({ ...process.env });

let calls = 0;
export const count = (): number => (calls += 1);

/** Returns which thread has loaded this. */
const channel = new BroadcastChannel('pieces');
channel.postMessage(threadId);
channel.close();

/** How many megabytes this thread may take. */
export const megabytes = (): number | undefined => resourceLimits.maxOldGenerationSizeMb;

let given = new ArrayBuffer(0);

export function give(bytes: number): { moved: ArrayBuffer[] } {
  given = new ArrayBuffer(bytes);
  return { moved: [given] };
}

/** How many bytes of what it gave are still here. */
export const left = (): number => given.byteLength;
