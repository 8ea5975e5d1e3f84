import type { Client } from '../client.js';

/** What clients do while processes are killed, with a memory of its own outside of the service to judge it by. */
export interface Load {
  name: string;
  /** Resolves when `signal` has aborted and everything that was sent has been answered. */
  run(client: Client, signal: AbortSignal): Promise<void>;
  /**
   * Compares what is there with what was answered.
   *
   * @returns figures, and a sentence for each thing that must not be.
   */
  judge(client: Client): Promise<Verdict>;
}

export interface Verdict {
  figures: Record<string, number>;
  faults: string[];
}

/** @returns a sentence with the count if there are any. */
export const faultsAmong = (counts: Record<string, number>): string[] =>
  Object.entries(counts).flatMap(([what, count]) => (count > 0 ? [`${count} ${what}`] : []));
