import { parseArgs } from 'node:util';
import { type Case, faultsOf } from './case.js';
import { deliveries } from './deliveries.js';
import { nodeKilled, postgresKilled } from './kills.js';

const cases: readonly Case[] = [nodeKilled, postgresKilled, deliveries];

const { positionals: wanted } = parseArgs({ allowPositionals: true });
const unknown = wanted.find((name) => !cases.some((one) => one.name === name));
if (unknown) throw new Error(`There is no case ${unknown}; there are ${cases.map(({ name }) => name).join(', ')}.`);

for (const { name, run } of cases.filter((one) => wanted.length === 0 || wanted.includes(one.name))) {
  const startedAt = performance.now();
  process.stdout.write(`${name}\n`);
  const outcome = await run();
  const { more, forbidden: _, ...counts } = outcome;
  for (const [what, count] of Object.entries({
    ...counts,
    ...more,
    seconds: Math.round((performance.now() - startedAt) / 1_000),
  })) {
    process.stdout.write(`  ${what.padEnd(32)} ${count}\n`);
  }
  const faults = faultsOf(outcome);
  process.stdout.write(faults.length > 0 ? `  FAILED: ${faults.join('; ')}\n` : '  passed\n');
  if (faults.length > 0) process.exitCode = 1;
}
// Whatever a case left open does not hold up its verdict.
process.exit();
