import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startLetterSink } from '../letter-sink.js';
import { missingRedis } from '../redis-server.js';
import { setClock } from '../service-processes.js';
import { inWorld, type World } from '../world.js';
import { Approvals } from './approvals.js';
import { Commands } from './commands.js';
import { Deliveries } from './deliveries.js';
import { Deployment } from './deployment.js';
import { FollowUps } from './follow-ups.js';
import { Limits } from './limits.js';
import type { Load } from './load.js';
import { Nights } from './nights.js';
import { randomFrom } from './random.js';
import { Registers } from './registers.js';
import { Saves } from './saves.js';

/** Between two blows. */
const longestRestMs = 1_000;
/** How often the figures so far are printed. */
const tellEach = 50;
const jumpMs = 10 * 60_000;
/** Of the first start. */
const organization = 'my-organization';
const person = { email: 'owner@example.com', password: 'a password of the faults' };

interface Plan {
  kills: number;
  hours: number;
  seed: number;
}

/**
 * A small deployment under a mixed load, whose processes are killed, restarted and paused in an order that follows from
 * the seed: `npm run faults -- kills --kills 10000 --hours 5 --seed 7`.
 *
 * @returns whether every load found what it must find.
 */
export async function randomKills(words: string[]): Promise<boolean> {
  const { values } = parseArgs({
    args: words,
    options: {
      kills: { type: 'string', default: '100' },
      hours: { type: 'string', default: '24' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    },
  });
  const missing = missingRedis();
  if (missing) throw new Error(`This needs Redis: ${missing}.`);
  const plan = { kills: Number(values.kills), hours: Number(values.hours), seed: Number(values.seed) };
  say(`kills: up to ${plan.kills}, seed ${plan.seed}`);
  return await inWorld((world) => strikeAndJudge(world, plan));
}

async function strikeAndJudge(world: World, { kills, hours, seed }: Plan): Promise<boolean> {
  let aheadMs = 0;
  const skipAhead = (): void => setClock(world.dataDir, (aheadMs += jumpMs));
  const letters = await startLetterSink(0);
  const loads: Load[] = [
    new Registers(),
    new Nights(randomFrom(seed + 1)),
    new Commands(),
    new Limits(),
    await Deliveries.start(skipAhead),
    new Saves(),
    new FollowUps(letters, skipAhead),
  ];
  // Requests that wait for a process that is coming back are not overload.
  const env = {
    OVERLOAD_DELAY_MS: '0',
    SMTP_URL: letters.url,
    ADMIN_EMAIL: person.email,
    ADMIN_PASSWORD: person.password,
  };
  const deployment = await Deployment.start(world, env);
  // The address that its pages name themselves by.
  const url = at(deployment.nodes, 0).url.replace('127.0.0.1', 'localhost').slice(0, -'/api/v1'.length);
  loads.push(new Approvals({ url, ...person }, (keyId) => holdBack(world, keyId)));
  const ending = new AbortController();
  try {
    const clients = await Promise.all(loads.map(() => world.clientOf(deployment.nodes)));
    const running = Promise.all(loads.map((load, index) => load.run(at(clients, index), ending.signal)));
    // A load that fails ends the run; what it says is thrown below.
    running.catch(() => ending.abort());

    const random = randomFrom(seed);
    const until = performance.now() + hours * 3_600_000;
    let struck = 0;
    while (struck < kills && performance.now() < until && !ending.signal.aborted) {
      await deployment.strike(random);
      struck += 1;
      if (struck % tellEach === 0) say(`  ${struck} of ${kills}`);
      await wait(random() * longestRestMs);
    }
    ending.abort();
    await running;
    say(`  ${struck} blows: ${counted(deployment.blows)}`);
    return await judged(loads, clients);
  } finally {
    ending.abort();
    await deployment.stop();
    letters.close();
  }
}

const holdBack = (world: World, keyId: string): Promise<unknown> =>
  world.ops('approval-rule', 'add', '--org', organization, '--who', keyId, '--what', 'createTask', '--mode', 'ask');

async function judged(loads: readonly Load[], clients: Parameters<Load['judge']>[0][]): Promise<boolean> {
  let isSound = true;
  for (const [index, load] of loads.entries()) {
    const { figures, faults } = await load.judge(at(clients, index));
    say(`  ${load.name.padEnd(12)} ${counted(figures)}`);
    for (const fault of faults) say(`    FAILED: ${fault}`);
    isSound &&= faults.length === 0;
  }
  return isSound;
}

const at = <T>(values: readonly T[], index: number): T => values[index] as T;
const counted = (counts: Record<string, number>): string =>
  Object.entries(counts)
    .map(([what, count]) => `${what} ${count}`)
    .join(' · ');
const say = (line: string): void => void process.stdout.write(`${line}\n`);
