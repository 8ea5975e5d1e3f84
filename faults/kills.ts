import type { Case } from './case.js';
import { KeyedWrites } from './keyed-writes.js';
import type { ServiceProcess } from './service-processes.js';
import { inWorld, type World } from './world.js';

/** Writers repeat requests until they succeed, while the processes that serve or store are killed again and again. */
const killing = (
  name: string,
  { tasks, kills }: { tasks: number; kills: number },
  kill: (world: World, node: ServiceProcess) => Promise<void>,
): Case => ({
  name,
  run: () =>
    inWorld(async (world) => {
      const node = await world.start('main', { WORKER: 'off' });
      const client = await world.clientOf([node]);
      const writes = new KeyedWrites(client, tasks);
      for (let turn = 1; turn <= kills; turn += 1) {
        await writes.have(turn / (kills + 1));
        await kill(world, node);
      }
      const counts = await writes.counts(world);
      return { ...counts, more: { 'kill -9': kills, requests: client.attempts.length }, forbidden: [] };
    }),
});

export const nodeKilled = killing('node-killed', { tasks: 400, kills: 4 }, (_, node) => node.kill());

export const postgresKilled = killing('postgres-killed', { tasks: 400, kills: 8 }, ({ postgres }) =>
  Promise.resolve(void process.kill(postgres.pid, 'SIGKILL')),
);
