// Released migrations do not change, because databases exist that have run them. released.sha256 holds the hash of each,
// and of isolation.ts, which they call. Here the files, migrations.ts and that list must agree. With --release, the
// hashes of new files are appended; a hash that is listed is never rewritten.
import { createHash } from 'node:crypto';
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = process.argv.slice(2).find((argument) => !argument.startsWith('--')) ?? 'src/platform/migrations';
const list = join(folder, 'released.sha256');
const read = (name) => readFileSync(join(folder, name), 'utf8');
const hashOf = (name) => createHash('sha256').update(read(name)).digest('hex');

const lines = readFileSync(list, 'utf8').trimEnd().split('\n');
const released = new Map(lines.map((line) => line.split('  ').toReversed()));
const files = readdirSync(folder)
  .filter((name) => /^\d+-[\w-]+\.ts$/.test(name))
  .toSorted();
const frozen = [...files, 'isolation.ts'];

if (process.argv.includes('--release')) {
  for (const name of frozen.filter((file) => !released.has(file))) {
    released.set(name, hashOf(name));
    appendFileSync(list, `${released.get(name)}  ${name}\n`);
  }
}

const faults = [
  ...[...released.keys()].filter((name) => !frozen.includes(name)).map((name) => `${name} is released, and is missing`),
  ...frozen.flatMap((name) => {
    if (!released.has(name))
      return [`${name} is not in released.sha256: run node scripts/check-migrations.mjs --release`];
    return released.get(name) === hashOf(name) ? [] : [`${name} is released, and has changed: add a new migration`];
  }),
  ...disorder(),
];
if (faults.length > 0) {
  console.error(`${folder}:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
  process.exitCode = 1;
}

/** What migrations.ts imports and lists must be the files, in the order of their numbers. */
function disorder() {
  const source = read('migrations.ts');
  const imported = [...source.matchAll(/^import \{ (\w+) \} from '\.\/(.+)\.js';$/gm)];
  const listed = [...(source.split('= [')[1] ?? '').matchAll(/\w+/g)].map(([name]) => name);
  return [
    ...differ(
      imported.map(([, , file]) => `${file}.ts`),
      files,
      'imports',
    ),
    ...differ(
      listed,
      imported.map(([, name]) => name),
      'lists',
    ),
  ];
}

function differ(found, wanted, verb) {
  return found.join() === wanted.join()
    ? []
    : [`migrations.ts ${verb} other files than there are, or in another order`];
}
