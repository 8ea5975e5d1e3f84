import { parseArgs } from 'node:util';
import { all } from './all.js';
import { Checkout } from './checkout.js';
import type { Mutant, Suite } from './mutant.js';
import { randomMutants, type Tried, tryRandom } from './random.js';

/**
 * Removes each guard, predicate and scope in turn, in a copy of the working tree, and runs the tests that should fail.
 * A mutant that survives, or that breaks the suite instead of failing a test, fails the command. With `--random N
 * --seed S`, changes N random places instead.
 */
const { values } = parseArgs({
  options: {
    /** A regular expression: only mutants whose name or suite it matches. */
    only: { type: 'string', default: '' },
    list: { type: 'boolean', default: false },
    /** How many random places in the sources are changed, instead of the named mutants. */
    random: { type: 'string' },
    /** The same places for the same seed. */
    seed: { type: 'string', default: '1' },
    /**
     * Runs only the tests of each place's folder: minutes instead of hours, but some survivors would not survive all
     * tests.
     */
    near: { type: 'boolean', default: false },
  },
});
const chance = values.random === undefined ? undefined : randomMutants(Number(values.random), values.seed, values.near);
const chosen = all.filter(({ name, suite }) => new RegExp(values.only).test(`${name} ${suite.file}`));

const say = (text: string): boolean => process.stdout.write(`${text}\n`);
const shown = ({ file, only }: Suite): string => (only ? `${file} -t '${only}'` : file);

async function run(): Promise<void> {
  const checkout = new Checkout();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      checkout.remove();
      process.exit(1);
    });
  const begun = Date.now();
  try {
    const { count, survivors } = await (chance ? tryRandom(chance, checkout, report, values.near) : tryNamed(checkout));
    const minutes = Math.round((Date.now() - begun) / 60_000);
    say(`\n${count - survivors.length} of ${count} killed in ${minutes} minutes`);
    if (survivors.length > 0) say(`survived:\n  ${survivors.join('\n  ')}`);
    process.exitCode = survivors.length > 0 || count === 0 ? 1 : 0;
  } finally {
    checkout.remove();
  }
}

async function tryNamed(checkout: Checkout): Promise<Tried> {
  // A stale text is reported before anything runs.
  for (const { edits } of chosen) checkout.change(edits)();
  // If tests fail without a change, every mutant would seem to be detected.
  for (const suite of new Map(chosen.map((mutant) => [shown(mutant.suite), mutant.suite])).values()) {
    const { outcome, passed, seconds } = await checkout.test(suite);
    if (outcome !== 'passed') throw new Error(`${shown(suite)}: ${outcome} without any change`);
    report('unchanged', seconds, `${shown(suite)}: ${passed} passed`);
  }
  const survivors: string[] = [];
  for (const mutant of chosen) survivors.push(...(await survivorsOf(mutant, checkout)));
  return { count: chosen.reduce((sum, { named }) => sum + (named?.length ?? 1), 0), survivors };
}

async function survivorsOf({ name, edits, suite, named }: Mutant, checkout: Checkout): Promise<string[]> {
  const takeBack = checkout.change(edits);
  const { outcome, failed, passed, seconds, messages } = await checkout.test(suite);
  takeBack();
  const isKilled = outcome === 'failed' || outcome === 'hung';
  const verdict = isKilled ? 'killed' : outcome === 'passed' ? 'SURVIVED' : 'NO TESTS';
  report(verdict, seconds, `${name} (${outcome === 'hung' ? 'hung' : `${failed} of ${failed + passed} failed`})`);
  if (named) return named.filter((part) => !messages.includes(part)).map((part) => `${name}: ${part}`);
  return isKilled ? [] : [name];
}

const report = (what: string, seconds: number, name: string): boolean =>
  say(`${what.padEnd(9)}  ${seconds.toFixed(1).padStart(6)} s  ${name}`);

if (values.list && chance) chance.forEach(({ name, suites }) => say(`${name}: ${suites.join(' ')}`));
else if (values.list) chosen.forEach(({ name, suite }) => say(`${name}: ${shown(suite)}`));
else await run();
