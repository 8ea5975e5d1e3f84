import type { Client } from '../../client.js';

/** What clients do while processes are killed, with a record outside of the service to check it. */
export interface Load {
  name: string;
  /** What must exist before the first fault. */
  prepare?(client: Client): Promise<void>;
  /** Resolves when `signal` has aborted and every request has been answered. */
  run(client: Client, signal: AbortSignal): Promise<void>;
  /**
   * Compares the stored records with the responses.
   *
   * @returns figures, and a sentence for each thing that must not happen.
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

/** The sum of their counts. */
export function sumOf(all: readonly Counts[]): Counts {
  const sum: Counts = {};
  for (const [name, count] of all.flatMap((each) => Object.entries(each))) sum[name] = (sum[name] ?? 0) + count;
  return sum;
}
