import { parseArgs } from 'node:util';
import { type Case, faultsOf } from './case.js';
import { deliveries } from './deliveries.js';

const cases: readonly Case[] = [deliveries];

const { values } = parseArgs({
  options: {
    /** Only cases whose name contains this. */
    only: { type: 'string', default: '' },
  },
});

for (const { name, run } of cases.filter((one) => one.name.includes(values.only))) {
  process.stdout.write(`${name}\n`);
  const outcome = await run();
  const { more, forbidden: _, ...counts } = outcome;
  for (const [what, count] of Object.entries({ ...counts, ...more })) {
    process.stdout.write(`  ${what.padEnd(32)} ${count}\n`);
  }
  const faults = faultsOf(outcome);
  process.stdout.write(faults.length > 0 ? `  FAILED: ${faults.join('; ')}\n` : '  passed\n');
  if (faults.length > 0) process.exitCode = 1;
}
// Whatever a case left open does not hold up its verdict.
process.exit();
