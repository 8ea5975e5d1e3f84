import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { type BoardLine, boardsTable, measureBoards } from './boards.js';
import { type BulkLoadRound, bulkLoadTable, measureBulkLoad } from './bulk-load.js';
import { scenariosOfDirectus, startDirectus } from './peers/directus.js';
import { goalRows } from './goals.js';
import { prepareFixtures } from './fixtures.js';
import { type HeldWrites, heldWritesTable, measureHeldWrites } from './held-writes.js';
import { type HangingCell, hangingTable, measureHangingProvider } from './hanging-provider.js';
import { otherBuild } from './other-build.js';
import { costlier, type Line, linesOf, tableOf, textTable } from './report.js';
import { type Cell, fullPlan, measure, quickPlan } from './rounds.js';
import { scenarios } from './scenarios.js';
import { programOf, serviceIn, startTarget, type Target } from './target.js';

const { values: options } = parseArgs({
  options: {
    /** Under a minute: the service and its floors only, fewer and shorter rounds. */
    quick: { type: 'boolean', default: false },
    /** Only scenarios whose name this regular expression finds. */
    only: { type: 'string', default: '' },
    /** Where the results are written. */
    json: { type: 'string' },
    /** Another build instead of the floors: a commit, or a checkout. Exit code 1 if this one costs more. */
    beside: { type: 'string' },
    /** Another product beside them in the same run: `directus`, in the scenarios that it is asked. */
    peer: { type: 'string' },
    /** Writes a CPU profile of the service into this folder. */
    profile: { type: 'string' },
  },
});

interface Results {
  commit: string;
  date: string;
  machine: string;
  versions: Record<string, string | undefined>;
  lines: Line[];
  cells: Cell[];
  /** Lists while a provider of devices hangs; omitted in a quick run. */
  hanging: HangingCell[];
  /** The cost of approvals and rehearsals; omitted in a quick run. */
  held: HeldWrites;
  /** Stays that are saved in bulk; omitted in a quick run. */
  bulk: BulkLoadRound[];
  /** Views of hotels; omitted in a quick run. */
  boards: BoardLine[];
}

const print = (text: string): void => void process.stdout.write(`${text}\n`);
const say = (text: string): void => void process.stderr.write(`${text}\n`);

const git = (...words: string[]): string => execFileSync('git', words, { encoding: 'utf8' }).trim();
const commit = (): string => git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain') && ' and changes');

const tasksOfReader = 10_000;
const beside = 'beside';
if (options.peer && options.peer !== 'directus') throw new Error('The only peer is directus.');
const only = new RegExp(options.only);
const isAsked = (name: string): boolean => !options.quick && !options.beside && !options.peer && only.test(name);
const [withHanging, withHeld] = [isAsked('hanging provider'), isAsked('held writes')];
const [withBulk, withBoards] = [isAsked('bulk load'), isAsked('boards')];

async function run(): Promise<Results> {
  const chosen = scenarios
    .filter(({ name }) => only.test(name) && (!options.peer || scenariosOfDirectus.includes(name)))
    .map((scenario) => (options.beside ? { ...scenario, floors: [beside] } : scenario));
  const floors = new Set(chosen.flatMap((scenario) => (options.quick ? scenario.floors.slice(0, 1) : scenario.floors)));
  const other = options.beside && serviceIn(join(otherBuild(options.beside), 'dist'));
  const flags = options.profile ? ['--cpu-prof', '--cpu-prof-dir', options.profile] : [];
  const fixtures = await prepareFixtures();
  const targets: Target[] = [];
  try {
    const tenants = { reader: await fixtures.addTenant(tasksOfReader), writer: await fixtures.addTenant(1) };
    const service = await startTarget('service', fixtures, programOf('service'), flags);
    targets.push(service);
    for (const name of floors) {
      targets.push(await startTarget(name, fixtures, name === beside ? other : undefined));
    }
    if (options.peer) targets.push(await startDirectus(fixtures, tasksOfReader));
    const cells = await measure(fixtures, targets, chosen, tenants, options.quick ? quickPlan : fullPlan, say);
    const hanging = withHanging ? await measureHangingProvider(service.port, tenants, say) : [];
    const held = withHeld
      ? await measureHeldWrites(fixtures, service, tenants.writer, await fixtures.addTenant(1), say)
      : [];
    const bulk = withBulk ? await measureBulkLoad(fixtures, service, await fixtures.addTenant(1), say) : [];
    const boards = withBoards ? await measureBoards(fixtures, service, tenants.reader, say) : [];
    const [server] = await fixtures.query('show server_version');
    return {
      commit: commit(),
      date: new Date().toISOString(),
      machine: `${cpus().length} × ${cpus()[0]?.model}`,
      versions: { node: process.version, postgres: server?.server_version as string },
      lines: linesOf(cells, (name) => chosen.find((scenario) => scenario.name === name)?.floors[0] ?? ''),
      cells,
      hanging,
      held,
      bulk,
      boards,
    };
  } finally {
    await Promise.all(targets.map((target) => target.stop()));
    await fixtures.remove();
  }
}

const results = await run();
const file = options.json ?? `.data/bench/${results.commit.replaceAll(' ', '-')}.json`;
mkdirSync(dirname(file), { recursive: true });
writeFileSync(file, JSON.stringify(results, null, 1));
print(`${results.commit}, ${results.date}, ${results.machine}, Node ${results.versions.node}\n`);
if (results.lines.length > 0) print(tableOf(results.lines));
if (withHanging) print(`\nWhile a provider hangs\n\n${hangingTable(results.hanging)}`);
if (withHeld) print(`\nWrites that may be held\n\n${heldWritesTable(results.held)}`);
if (withBulk) print(`\nStays in bulk\n\n${bulkLoadTable(results.bulk)}`);
if (withBoards) print(`\nBoards of hotels\n\n${boardsTable(results.boards)}`);
if (!options.beside && results.lines.length > 0)
  print(`\n${textTable([['goal', 'limit', 'measured', ''], ...goalRows(results.lines)])}`);
print(`\nEvery round: ${file}`);
if (options.beside) {
  const sentences = costlier(results.lines);
  sentences.forEach(print);
  if (sentences.length > 0) process.exitCode = 1;
}
