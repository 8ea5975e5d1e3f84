import { parseArgs } from 'node:util';
import { faultsIn, type Figures, header, medianOf, rowOf } from './figures.js';
import { playRound } from './round.js';
import type { Vector } from './vector.js';
import { attachments, bulk, deepBodies, idempotencyKeys, writes } from './vectors/bodies.js';
import { nothing } from './vectors/control.js';
import { slowEndpoints } from './vectors/endpoints.js';
import { organizationExports, referenceRehearsals, references, rehearsals, undone } from './vectors/heavy-writes.js';
import { invitations, signIns } from './vectors/people.js';
import { auditVerification, exports, lists, streams, toolLists } from './vectors/reads.js';
import { calendarFeed, imports, search } from './vectors/stays.js';
import { compiled, liquid } from './vectors/templates.js';
import { conditions, dryRun, runs } from './vectors/workflows.js';

const vectors: readonly Vector[] = [
  nothing,
  liquid,
  compiled,
  calendarFeed,
  dryRun,
  imports,
  invitations,
  slowEndpoints,
  search,
  exports,
  auditVerification,
  lists,
  bulk,
  attachments,
  streams,
  conditions,
  runs,
  deepBodies,
  idempotencyKeys,
  signIns,
  toolLists,
  references,
  organizationExports,
  undone,
  rehearsals,
  referenceRehearsals,
  writes,
];

const write = (line: string): void => void process.stdout.write(`${line}\n`);

/**
 * An attacker and a victim in one process of the service, vector after vector: `--seconds 60 --runs 5 --only liquid`.
 * `--profiles FOLDER` writes CPU profiles of the service into a folder: the first without the attack, the third under
 * attack. FAULTS_CHECKOUT tests another checkout, which must be built.
 *
 * @returns whether the victim was never affected.
 */
export async function neighbours(args: string[]): Promise<boolean> {
  const text = { type: 'string' } as const;
  const options = { seconds: text, runs: text, only: text, profiles: text };
  const { seconds = '60', runs: rounds = '5', only, profiles } = parseArgs({ args, options }).values;
  const chosen = vectors.filter(({ name }) => only === undefined || only.split(',').includes(name));
  if (chosen.length === 0) throw new Error(`There are the vectors ${vectors.map(({ name }) => name).join(', ')}.`);
  const table: Figures[] = [];
  for (const vector of chosen) {
    write(`${vector.name}: ${vector.description}`);
    const seen: Figures[][] = [];
    for (let round = 0; round < Number(rounds); round += 1) {
      const { figures, cores } = await playRound(vector, Number(seconds) * 1_000, profiles);
      figures.forEach((line, index) => (seen[index] ??= []).push(line));
      for (const line of figures) write(`  ${rowOf(line)}`);
      write(`  ${cores}`);
    }
    table.push(...seen.map(medianOf));
  }
  for (const line of [...header, ...table.map(rowOf)]) write(line);
  const faults = table.flatMap((figures) => faultsIn(figures).map((fault) => `${figures.name}: ${fault}`));
  for (const fault of faults) write(`FAILED ${fault}`);
  return faults.length === 0;
}
