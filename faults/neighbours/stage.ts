import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { Client } from '../client.js';
import type { ServiceProcess } from '../service-processes.js';
import { inWorld } from '../world.js';
import { startLetterSink } from '../letter-sink.js';
import type { LoopDelay } from './figures.js';
import { coreTimes, type CoreTimes } from './cores.js';
import type { Stage, Vector } from './vector.js';
import { Victim } from './victim.js';

/** The time that a distant mail server takes for a letter. */
const distantMs = 300;
const preloaded = fileURLToPath(new URL('loop-delay.js', import.meta.url));

export interface Round {
  stage: Stage;
  asVictim: Victim;
  /** How late the service's event loop was since the last check. */
  loopDelay: () => Promise<LoopDelay>;
  cores: () => CoreTimes;
}

/** One process of the service with two organizations, for one round of a vector. */
export const onStage = <T>({ env = {} }: Vector, play: (round: Round) => Promise<T>): Promise<T> =>
  inWorld(async (world) => {
    const ends: (() => unknown)[] = [];
    try {
      const smtp = await startLetterSink(distantMs);
      ends.push(() => smtp.close());
      const delayFile = join(world.dataDir, 'loop-delay');
      const node = await world.start('main', {
        ...env,
        SMTP_URL: smtp.url,
        LOOP_DELAY: delayFile,
        NODE_OPTIONS: `--import ${preloaded}`,
      });
      const victim = await world.clientOf([node]);
      const { ops } = world;
      const attackerKey = await attackerOf(ops);
      const attacker = new Client([node], attackerKey);
      const database = new pg.Client({ connectionString: world.postgres.url });
      await database.connect();
      ends.push(() => database.end());
      const { id: taskId } = await victim.send('POST', '/tasks', { name: 'Small' });
      const asVictim = new Victim({ url: node.url, key: victim.key, taskId: taskId as string });
      ends.push(() => asVictim.stop());
      const url = node.url.slice(0, -'/api/v1'.length);
      const onEnd = (close: () => unknown): void => void ends.push(close);
      const person = 'owner@example.com';
      const stage = { node, url, attacker, attackerKey, victim, person, database, smtp, ops, onEnd };
      return await play({
        stage,
        asVictim,
        loopDelay: () => delayOf(node, delayFile),
        cores: () => coreTimes(node.pid, world.postgres.pid, asVictim.pid),
      });
    } finally {
      for (const end of ends.toReversed()) await end();
    }
  });

/** A second organization, beside that of the first start, and its key. */
async function attackerOf(ops: Stage['ops']): Promise<string> {
  await ops('org', 'create', '--name', 'Attacker', '--slug', 'attacker');
  const rate = ['--rate-per-minute', '60000'];
  const { key } = await ops('api-key', 'create', '--org', 'attacker', '--name', 'Attack', '--scopes', '*', ...rate);
  return key as string;
}

/** A busy loop writes it with its delay. */
async function delayOf(node: ServiceProcess, file: string): Promise<LoopDelay> {
  rmSync(file, { force: true });
  node.signal('SIGUSR2');
  while (!existsSync(file)) await wait(20);
  return JSON.parse(readFileSync(file, 'utf8')) as LoopDelay;
}
