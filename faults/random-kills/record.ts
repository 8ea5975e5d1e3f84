import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { type Counts, sumOf } from './loads/load.js';
import type { Outcome } from './sitting.js';

/** The record of one sitting. */
export interface Sitting extends Outcome {
  seed: number;
  commit: string;
  startedAt: string;
  seconds: number;
  machine: string;
}

/** The sittings of one or several runs, in a file that contains the totals after each. */
export class KillsRecord {
  private constructor(
    private readonly file: string | undefined,
    private readonly sittings: Sitting[],
  ) {}

  static open(file: string | undefined): KillsRecord {
    const isThere = file !== undefined && existsSync(file);
    return new KillsRecord(file, isThere ? (JSON.parse(readFileSync(file, 'utf8')) as Sitting[]) : []);
  }

  /** Sittings so far, of all commits: the seed of each follows from its number. */
  get count(): number {
    return this.sittings.length;
  }

  get blows(): number {
    return totalOf(sumOf(this.sittings.map(({ blows }) => blows)));
  }

  /** Written to a new file and renamed, so that a killed process leaves the previous file. */
  add(sitting: Sitting): void {
    this.sittings.push(sitting);
    if (this.file === undefined) return;
    writeFileSync(`${this.file}.new`, `${JSON.stringify(this.sittings, undefined, 1)}\n`);
    renameSync(`${this.file}.new`, this.file);
  }

  /** The totals by commit. */
  lines(): string[] {
    const commits = Map.groupBy(this.sittings, ({ commit }) => commit);
    return [...commits].flatMap(([commit, sittings]) => {
      const blows = sumOf(sittings.map((sitting) => sitting.blows));
      const loads = [...new Set(sittings.flatMap(({ figures }) => Object.keys(figures)))];
      return [
        `commit ${commit}: ${totalOf(blows)} blows in ${sittings.length} sittings, seeds ${sittings.map(({ seed }) => seed).join(', ')}`,
        `  ${counted(blows)}`,
        ...loads.map(
          (load) => `  ${load.padEnd(12)} ${counted(sumOf(sittings.map(({ figures }) => figures[load] ?? {})))}`,
        ),
        ...sittings.flatMap(({ seed, faults }) => faults.map((fault) => `  FAILED with seed ${seed}: ${fault}`)),
      ];
    });
  }
}

const totalOf = (counts: Counts): number => Object.values(counts).reduce((sum, count) => sum + count, 0);
export const counted = (counts: Counts): string =>
  Object.entries(counts)
    .map(([what, count]) => `${what} ${count}`)
    .join(' · ');
