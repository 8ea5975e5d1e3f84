import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from '../client.js';
import { startLetterSink } from '../letter-sink.js';
import { setClock } from '../service-processes.js';
import type { World } from '../world.js';
import { blowsFrom } from './blows.js';
import { Deployment } from './deployment.js';
import { Approvals } from './loads/approvals.js';
import { Commands } from './loads/commands.js';
import { Deliveries } from './loads/deliveries.js';
import { FollowUps } from './loads/follow-ups.js';
import { Keys } from './loads/keys.js';
import { Limits } from './loads/limits.js';
import type { Load } from './loads/load.js';
import { Nights } from './loads/nights.js';
import { Registers } from './loads/registers.js';
import { Saves } from './loads/saves.js';
import { Sets } from './loads/sets.js';
import { randomFrom } from './random.js';

/** The pause of each of some forty callers between two requests. */
const pauseMs = 250;
const longestRestMs = 20_000;
const jumpMs = 10 * 60_000;
/** Of the first start. */
const organization = 'my-organization';
const person = { email: 'owner@example.com', password: 'a password of the faults' };

export interface Plan {
  seed: number;
  blows: number;
  /** Ends it early; it is still checked. */
  stop: AbortSignal;
}

export interface Outcome {
  blows: Record<string, number>;
  /** By load. */
  figures: Record<string, Record<string, number>>;
  /** A sentence for each thing that must not happen. */
  faults: string[];
}

/** A separate deployment under all loads gets this many faults, and each load is checked. */
export async function sit(world: World, plan: Plan): Promise<Outcome> {
  let aheadMs = 0;
  const skipAhead = (): void => setClock(world.dataDir, (aheadMs += jumpMs));
  const letters = await startLetterSink(0);
  // Requests that wait for a process that is coming back are not overload.
  const deployment = await Deployment.start(world, {
    OVERLOAD_DELAY_MS: '0',
    // On a busy machine Redis answers late.
    LIMITS_TIMEOUT_MS: '500',
    SMTP_URL: letters.url,
    ADMIN_EMAIL: person.email,
    ADMIN_PASSWORD: person.password,
  });
  const loads: Load[] = [
    new Registers(),
    new Sets(deployment.entry),
    new Keys(),
    new Nights(randomFrom(plan.seed + 1)),
    new Commands(),
    new Limits(() => deployment.redisLife),
    await Deliveries.start(skipAhead),
    new Saves(),
    new FollowUps(letters, skipAhead),
    // Pages use the address of their node.
    new Approvals({ url: `http://localhost:${deployment.processes.nodes[0]?.port}`, ...person }, (keyId) =>
      world.ops('approval-rule', 'add', '--org', organization, '--who', keyId, '--what', 'createTask', '--mode', 'ask'),
    ),
  ];
  try {
    const outcome: Outcome = { blows: deployment.blows, figures: {}, faults: [] };
    const clients = await Promise.all(loads.map(() => world.clientOf(deployment.nodes, undefined, pauseMs)));
    try {
      await Promise.all(loads.map(async (load, index) => await load.prepare?.(clients[index] as Client)));
      await strikeUnder(loads, clients, deployment, plan);
    } catch (error) {
      return { ...outcome, faults: [`a client gave up: ${(error as Error).stack}`, deployment.lastBlows()] };
    }
    // What is checked one by one is requested without a pause.
    for (const client of clients) client.pauseMs = 0;
    for (const [index, load] of loads.entries()) {
      const { figures, faults } = await load.judge(clients[index] as Client);
      outcome.figures[load.name] = figures;
      outcome.faults.push(...faults.map((fault) => `${load.name}: ${fault}`));
    }
    return outcome;
  } finally {
    await deployment.stop();
    letters.close();
  }
}

async function strikeUnder(
  loads: readonly Load[],
  clients: readonly Client[],
  deployment: Deployment,
  { seed, blows, stop }: Plan,
): Promise<void> {
  const ending = new AbortController();
  const running = Promise.all(loads.map((load, index) => load.run(clients[index] as Client, ending.signal)));
  // A load that fails ends the sitting; its error is thrown below.
  running.catch(() => ending.abort());
  let left = blows;
  for (const blow of blowsFrom(randomFrom(seed))) {
    if ((left -= 1) < 0 || stop.aborted || ending.signal.aborted) break;
    await deployment.strike(blow);
    await rest(clients, blow.answers);
  }
  await deployment.back();
  ending.abort();
  await running;
}

/** Until clients have received this many responses, or something is down for so long that they do not. */
async function rest(clients: readonly Client[], answers: number): Promise<void> {
  const sum = (): number => clients.reduce((total, { answered }) => total + answered, 0);
  const [enough, until] = [sum() + answers, performance.now() + longestRestMs];
  while (sum() < enough && performance.now() < until) await wait(20);
}
