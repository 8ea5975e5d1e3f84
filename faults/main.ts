import { parseArgs } from 'node:util';
import { type Case, faultsOf } from './case.js';
import { clocksApart } from './clocks-apart.js';
import { commitOf } from './commit.js';
import { deliveries } from './deliveries.js';
import { diskFull } from './disk-full.js';
import { nodeKilled, postgresKilled } from './kills.js';
import { failover } from './failover.js';
import { machineNow } from './machine.js';
import { neighbours } from './neighbours/neighbours.js';
import { poolExhausted, postgresStopped } from './outages.js';
import { randomKills } from './random-kills/random-kills.js';
import { redisKilled } from './redis-killed.js';
import { rollingRestart } from './rolling-restart.js';
import { slowClients } from './slow-clients.js';
import { soak } from './soak/soak.js';
import { upgrade } from './upgrade/upgrade.js';

const cases: readonly Case[] = [
  nodeKilled,
  postgresKilled,
  postgresStopped,
  poolExhausted,
  redisKilled,
  clocksApart,
  rollingRestart,
  slowClients,
  diskFull,
  deliveries,
  failover,
];

/** Cases with their own options. */
const withOptions: Record<string, (words: string[]) => Promise<boolean>> = {
  neighbours,
  kills: randomKills,
  soak,
  upgrade,
};
// Processes of the service have sessions of their own, which Ctrl-C does not reach; they end with this one.
if (process.argv[2] !== 'kills')
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
const chosen = withOptions[process.argv[2] ?? ''];
if (chosen) process.exit((await chosen(process.argv.slice(3))) ? 0 : 1);

const { positionals: wanted } = parseArgs({ allowPositionals: true });
const unknown = wanted.find((name) => !cases.some((one) => one.name === name));
if (unknown) throw new Error(`There is no case ${unknown}; there are ${cases.map(({ name }) => name).join(', ')}.`);

process.stdout.write(`commit ${commitOf(import.meta.dirname)}, Node ${process.version}, ${machineNow()}\n`);
for (const { name, missing, run } of cases.filter((one) => wanted.length === 0 || wanted.includes(one.name))) {
  const lack = missing?.();
  if (lack) {
    process.stdout.write(`${name}\n  SKIPPED: ${lack}\n`);
    continue;
  }
  const startedAt = performance.now();
  process.stdout.write(`${name}\n`);
  const outcome = await run();
  const { more, forbidden: _, ...counts } = outcome;
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  for (const [what, count] of Object.entries({ ...counts, ...more, seconds, machine: machineNow() })) {
    process.stdout.write(`  ${what.padEnd(32)} ${count}\n`);
  }
  const faults = faultsOf(outcome);
  process.stdout.write(faults.length > 0 ? `  FAILED: ${faults.join('; ')}\n` : '  passed\n');
  if (faults.length > 0) process.exitCode = 1;
}
// Handles that a case left open must not delay its result.
process.exit();
