import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { commitOf } from '../commit.js';
import { ReadyNodes } from '../ready-nodes.js';
import { Receiver } from '../receiver.js';
import { missingRedis, startRedis } from '../redis-server.js';
import { inWorld, type World } from '../world.js';
import { Hotel } from './hotel.js';

/** More than the two probes after which a balancer sends nothing more. */
const drainSeconds = '1';
const phaseMs = 4_000;
const longestDeliveryMs = 60_000;

/**
 * Two nodes and a worker of an earlier release, in a checkout that has been built, are replaced by ours one after the
 * other while clients work: `npm run faults -- upgrade --from ../earlier`. The first new node migrates the database.
 *
 * @returns whether no request failed except those that got a 503 with Retry-After, and nothing was lost.
 */
export async function upgrade(words: string[]): Promise<boolean> {
  const { values } = parseArgs({ args: words, options: { from: { type: 'string' } } });
  if (!values.from) throw new Error('Say with --from where the earlier release is: a checkout that has been built.');
  const missing = missingRedis();
  if (missing) throw new Error(`This needs Redis: ${missing}.`);
  const from = resolve(values.from);
  say(`upgrade from ${commitOf(from)} to ${commitOf(import.meta.dirname)}`);
  return await inWorld((world) => replace(world, from));
}

async function replace(world: World, from: string): Promise<boolean> {
  const redis = await startRedis();
  const receiver = await Receiver.start(Number.POSITIVE_INFINITY);
  try {
    // A machine that is busy with other things must not cause rejections.
    const patient = { OVERLOAD_DELAY_MS: '0', LIMITS_TIMEOUT_MS: '5000' };
    const env = { ...patient, REDIS_URL: redis.url, DRAIN_SECONDS: drainSeconds };
    const onNodes = { ...env, WORKER: 'off' };
    const nodes = [await world.start('main', onNodes, from), await world.start('main', onNodes, from)];
    const worker = await world.start('worker', env, from);
    const balancer = new ReadyNodes(nodes);
    const client = await world.clientOf([balancer]);
    const eventTypes = ['task.created'];
    await client.send('POST', '/webhook-endpoints', { url: receiver.url, eventTypes });
    const hotel = new Hotel(client);
    await hotel.open();

    const ending = new AbortController();
    const working = hotel.work(ending.signal);
    await wait(phaseMs);
    for (const [index, node] of nodes.entries()) {
      hotel.phase = index === 0 ? 'migrating' : 'last old node ends';
      await node.upgrade();
      await balancer.has(node);
      hotel.phase = index === 0 ? 'old and new' : 'new, with the old worker';
      await wait(phaseMs);
    }
    await worker.upgrade();
    hotel.phase = 'new';
    await wait(phaseMs);
    ending.abort();
    await working;

    const [lost, soldTwice] = [await hotel.lost(client), await hotel.soldTwice(client)];
    const isDelivered = (): boolean => receiver.delivered >= hotel.acknowledgedTasks;
    for (const since = performance.now(); !isDelivered() && performance.now() - since < longestDeliveryMs;)
      await wait(100);
    await balancer.end();
    for (const [outcome, count] of hotel.outcomes) say(`  ${String(count).padStart(6)} ${outcome}`);
    const undelivered = Math.max(0, hotel.acknowledgedTasks - receiver.delivered);
    say(`  records kept ${hotel.kept.length} · lost or changed ${lost} · sold twice ${soldTwice}`);
    say(
      `  events of tasks ${hotel.acknowledgedTasks} · not delivered ${undelivered} · out of order ${receiver.misordered}`,
    );
    const isSound = isKept({
      outcomes: hotel.outcomes.keys(),
      lost,
      soldTwice,
      undelivered,
      misordered: receiver.misordered,
    });
    say(isSound ? '  passed' : '  FAILED');
    return isSound;
  } finally {
    receiver.close();
    await redis.stop();
  }
}

interface Seen {
  outcomes: Iterable<string>;
  lost: number;
  soldTwice: number;
  undelivered: number;
  misordered: number;
}

export const isKept = ({ outcomes, lost, soldTwice, undelivered, misordered }: Seen): boolean =>
  lost + soldTwice + undelivered + misordered === 0 && ![...outcomes].some((outcome) => outcome.includes('FAILED'));

const say = (line: string): void => void process.stdout.write(`${line}\n`);
