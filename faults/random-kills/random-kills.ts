import { parseArgs } from 'node:util';
import { commitOf } from '../commit.js';
import { machineNow } from '../machine.js';
import { missingRedis } from '../redis-server.js';
import { inWorld } from '../world.js';
import { counted, KillsRecord } from './record.js';
import { type Outcome, sit } from './sitting.js';

const usualSitting = '100';

/**
 * A small deployment under a mixed load, whose processes are killed, restarted and paused in an order that follows from
 * the seed: `npm run faults -- kills --kills 10000 --hours 5 --seed 7 --state kills.json`. After each sitting
 * everything is checked and recorded; the next has a new deployment, and the next seed. Another run with the same state
 * continues. SIGTERM ends the sitting early, and it is checked.
 *
 * @returns whether every load found what it must find, in every sitting of this run.
 */
export async function randomKills(words: string[]): Promise<boolean> {
  const { values } = parseArgs({
    args: words,
    options: {
      kills: { type: 'string', default: usualSitting },
      sitting: { type: 'string', default: usualSitting },
      hours: { type: 'string', default: '24' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      state: { type: 'string' },
    },
  });
  const missing = missingRedis();
  if (missing) throw new Error(`This needs Redis: ${missing}.`);
  const [kills, longest, firstSeed] = [Number(values.kills), Number(values.sitting), Number(values.seed)];
  const stop = new AbortController();
  process.once('SIGTERM', () => stop.abort()).once('SIGINT', () => stop.abort());
  const until = performance.now() + Number(values.hours) * 3_600_000;
  const record = KillsRecord.open(values.state);
  const commit = commitOf(import.meta.dirname);
  let isSound = true;
  while (record.blows < kills && performance.now() < until && !stop.signal.aborted) {
    const seed = firstSeed + record.count;
    const blows = Math.min(longest, kills - record.blows);
    say(`sitting ${record.count + 1}: up to ${blows} blows, seed ${seed}, commit ${commit}`);
    const [startedAt, from] = [new Date().toISOString(), performance.now()];
    const outcome = await outcomeOf({ seed, blows, stop: stop.signal });
    const seconds = Math.round((performance.now() - from) / 1_000);
    record.add({ ...outcome, seed, commit, startedAt, seconds, machine: machineNow() });
    say(`  ${counted(outcome.blows)} · seconds ${seconds} · ${record.blows} of ${kills} so far`);
    for (const [load, figures] of Object.entries(outcome.figures)) say(`  ${load.padEnd(12)} ${counted(figures)}`);
    for (const fault of outcome.faults) say(`  FAILED: ${fault}`);
    isSound &&= outcome.faults.length === 0;
    // Nothing could be started, and the next sitting would fail in the same way.
    if (Object.keys(outcome.blows).length === 0) break;
  }
  for (const line of record.lines()) say(line);
  return isSound;
}

/** A sitting that does not reach its end has failed too. */
const outcomeOf = (plan: Parameters<typeof sit>[1]): Promise<Outcome> =>
  inWorld((world) => sit(world, plan)).catch((error: unknown) => ({
    blows: {},
    figures: {},
    faults: [`the sitting ended with ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`],
  }));

const say = (line: string): void => void process.stdout.write(`${line}\n`);
