import { parseArgs } from 'node:util';
import { Checkout } from './checkout.js';
import { credentials } from './credentials.js';
import { edge } from './edge.js';
import type { Mutant } from './mutant.js';
import { tenancy } from './tenancy.js';
import { writes } from './writes.js';

/**
 * Takes away each guard, predicate and scope in turn, in a copy of the working tree, and runs the tests that should
 * notice. A mutant that survives, or that breaks the suite instead of failing a test, fails the command.
 */
const all: Mutant[] = [...edge, ...credentials, ...writes, ...tenancy];

const { values } = parseArgs({
  options: {
    /** Only mutants whose name contains this. */
    only: { type: 'string', default: '' },
    list: { type: 'boolean', default: false },
  },
});
const chosen = all.filter(({ name }) => name.includes(values.only));

const say = (text: string): boolean => process.stdout.write(`${text}\n`);

async function run(): Promise<void> {
  const checkout = new Checkout();
  const survivors: string[] = [];
  const begun = Date.now();
  try {
    // A text that has gone stale is told of before anything runs.
    for (const { edits } of chosen) checkout.change(edits)();
    // On tests that fail by themselves every mutant would seem to be noticed.
    for (const { tests, only } of differentSuites()) {
      const { outcome, passed, seconds } = await checkout.test(tests, only);
      if (outcome !== 'passed') throw new Error(`${tests.join(', ')} ${only ?? ''}: ${outcome} without any change`);
      say(`unchanged  ${seconds.toFixed(1).padStart(6)} s  ${tests.join(', ')} ${only ?? ''}: ${passed} passed`);
    }
    for (const { name, edits, tests, only } of chosen) {
      const takeBack = checkout.change(edits);
      const { outcome, failed, passed, seconds } = await checkout.test(tests, only);
      takeBack();
      const isKilled = outcome === 'failed' || outcome === 'timeout';
      if (!isKilled) survivors.push(name);
      const verdict = isKilled ? 'killed' : outcome === 'passed' ? 'SURVIVED' : 'NO TESTS';
      say(
        `${verdict.padEnd(9)}  ${seconds.toFixed(1).padStart(6)} s  ${name} (${failed} of ${failed + passed} failed)`,
      );
    }
  } finally {
    checkout.remove();
  }
  const minutes = Math.round((Date.now() - begun) / 60_000);
  say(`\n${chosen.length - survivors.length} of ${chosen.length} killed in ${minutes} minutes`);
  if (survivors.length > 0) say(`survived:\n  ${survivors.join('\n  ')}`);
  process.exitCode = survivors.length > 0 || chosen.length === 0 ? 1 : 0;
}

function differentSuites(): Pick<Mutant, 'tests' | 'only'>[] {
  const keyOf = ({ tests, only }: Mutant): string => JSON.stringify([tests, only]);
  return [...new Map(chosen.map((mutant) => [keyOf(mutant), mutant])).values()];
}

if (values.list) chosen.forEach(({ name, tests }) => say(`${name}: ${tests.join(', ')}`));
else await run();
