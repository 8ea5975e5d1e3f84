import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** A file of the write-ahead log: `00000001000000000000002A`, 16 MB (PostgreSQL manual, 28.6). */
const segment = /^[0-9A-F]{24}$/;
const segmentsOfLog = 0x100n;

/** The segments in a cluster's folder from `first` to `last`, in order; those behind `last` are empty, for later use. */
export async function segmentsIn(clusterDir: string, first: string, last: string): Promise<string[]> {
  const names = await readdir(walDirOf(clusterDir));
  return names.filter((name) => segment.test(name) && first <= name && name <= last).sort();
}

/** Whether none is missing between the first and the last. */
export function isComplete(segments: readonly string[], first: string, last: string): boolean {
  return segments[0] === first && BigInt(segments.length) === numberOf(last) - numberOf(first) + 1n;
}

export function segmentAfter(name: string): string {
  const next = numberOf(name) + 1n;
  const hexadecimal = (part: bigint) => part.toString(16).toUpperCase().padStart(8, '0');
  return timelineOf(name) + hexadecimal(next / segmentsOfLog) + hexadecimal(next % segmentsOfLog);
}

export const timelineOf = (name: string): string => name.slice(0, 8);
export const walDirOf = (clusterDir: string): string => join(clusterDir, 'pg_wal');

const numberOf = (name: string): bigint =>
  BigInt(`0x${name.slice(8, 16)}`) * segmentsOfLog + BigInt(`0x${name.slice(16)}`);
