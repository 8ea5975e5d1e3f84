import { writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Client } from '../client.js';
import { Receiver } from '../receiver.js';
import { inWorld, type World } from '../world.js';
import { chartOf } from './chart.js';
import { type Line, risingIn } from './line.js';
import { readingOf, type Reading } from './reading.js';
import { HotelLoad } from './hotel-load.js';

/** The interval at which the clock advances, so that nothing sees a jump of hours. */
const stepMs = 10_000;
const readEachMs = 60_000;
const apiKey = 'sk_test_first_key_of_the_soak_0123456789';
/** Every so many deliveries one is answered with 500. */
const failsEach = 50;

interface Plan {
  days: number;
  minutes: number;
  /** Where the chart is written; omitted for none. */
  to?: string;
}

/**
 * A hotel's days in minutes: the clock of the test environment advances while clients work, and what a process or the
 * database could accumulate is read each minute: `npm run faults -- soak --days 6 --minutes 60 --to
 * docs/images/soak.svg`.
 *
 * @returns whether no line rises.
 */
export async function soak(words: string[]): Promise<boolean> {
  const { values } = parseArgs({
    args: words,
    options: {
      days: { type: 'string', default: '6' },
      minutes: { type: 'string', default: '60' },
      to: { type: 'string' },
    },
  });
  const plan = { days: Number(values.days), minutes: Number(values.minutes), to: values.to };
  return await inWorld((world) => live(world, plan));
}

async function live(world: World, { days, minutes, to }: Plan): Promise<boolean> {
  const env = { ENVIRONMENT: 'test', ADMIN_API_KEY: apiKey };
  const node = await world.start('main', { ...env, WORKER: 'off' });
  const worker = await world.start('worker', env);
  const client = await new Client([node], apiKey).keyed();
  const receiver = await Receiver.start(failsEach);
  const ending = new AbortController();
  const load = new HotelLoad(client, receiver.url);
  const readings: Reading[] = [];
  try {
    const working = load.run(ending.signal);
    working.catch(() => ending.abort());
    const endsAt = performance.now() + minutes * 60_000;
    const secondsAStep = Math.round((days * 86_400 * stepMs) / (minutes * 60_000));
    const moving = moveOn(client, secondsAStep, ending.signal);
    while (performance.now() < endsAt && !ending.signal.aborted) {
      await rest(readEachMs, ending.signal);
      readings.push(await readingOf({ node, worker }, world.postgres.url, load.requests));
      say(`  minute ${readings.length}: ${toldOf(readings.at(-1) as Reading)}`);
    }
    ending.abort();
    await Promise.all([working, moving]);
  } finally {
    ending.abort();
    receiver.close();
  }
  return judged(readings, to, `${load.requests} requests`);
}

/** The same every ten seconds, however long the service takes to answer. */
async function moveOn(client: Client, seconds: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await rest(stepMs, signal);
    await client.send('POST', '/clock/advance', { by: `PT${seconds}S` });
  }
}

function judged(readings: readonly Reading[], to: string | undefined, about: string): boolean {
  const lines = linesOf(readings);
  if (to) writeFileSync(to, chartOf(lines));
  say(`  ${about}, ${readings.length} readings`);
  const rising = lines.filter(risingIn);
  for (const { name, values } of lines) say(`  ${name.padEnd(32)} ${values.at(0)} … ${values.at(-1)}`);
  for (const { name } of rising) say(`    FAILED: ${name} rises`);
  return rising.length === 0;
}

const linesOf = (readings: readonly Reading[]): Line[] =>
  Object.keys(readings[0] ?? {}).map((name) => ({ name, values: readings.map((reading) => reading[name] as number) }));

const toldOf = (reading: Reading): string =>
  Object.entries(reading)
    .map(([name, value]) => `${name} ${value}`)
    .join(' · ');

const rest = (ms: number, signal: AbortSignal): Promise<void> => wait(ms, undefined, { signal }).catch(() => undefined);

const say = (line: string): void => void process.stdout.write(`${line}\n`);
