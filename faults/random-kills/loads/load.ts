import type { Client } from '../../client.js';

/** What clients do while processes are killed, with a memory of its own outside of the service to judge it by. */
export interface Load {
  name: string;
  /** What must be there before anything is struck. */
  prepare?(client: Client): Promise<void>;
  /** Resolves when `signal` has aborted and everything that was sent has been answered. */
  run(client: Client, signal: AbortSignal): Promise<void>;
  /**
   * Compares what is there with what was answered.
   *
   * @returns figures, and a sentence for each thing that must not be.
   */
  judge(client: Client): Promise<Verdict>;
}

export type Counts = Record<string, number>;

export interface Verdict {
  figures: Counts;
  faults: string[];
}

/** @returns a sentence with the count if there are any. */
export const faultsAmong = (counts: Counts): string[] =>
  Object.entries(counts).flatMap(([what, count]) => (count > 0 ? [`${count} ${what}`] : []));

/** What each of them counted, added up. */
export function sumOf(all: readonly Counts[]): Counts {
  const sum: Counts = {};
  for (const [name, count] of all.flatMap((each) => Object.entries(each))) sum[name] = (sum[name] ?? 0) + count;
  return sum;
}
