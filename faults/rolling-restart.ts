import { setTimeout as wait } from 'node:timers/promises';
import type { Case } from './case.js';
import type { Attempt } from './client.js';
import { ReadyNodes } from './ready-nodes.js';
import type { ServiceProcess } from './service-processes.js';
import { judgeTasks, madeBy, storedTasks } from './stored-tasks.js';
import { inWorld } from './world.js';

const restarts = 4;
const clients = 4;
const pauseMs = 20;
/** More than the two probes after which a balancer sends nothing more. */
const drainSeconds = 1;

/** Two nodes are restarted in turn; requests go once, to nodes that were ready at the last probe. */
export const rollingRestart: Case = {
  name: 'rolling-restart',
  run: () =>
    inWorld(async (world) => {
      const env = { WORKER: 'off', DRAIN_SECONDS: String(drainSeconds) };
      const nodes = await Promise.all([world.start('main', env), world.start('main', env)]);
      const balancer = new ReadyNodes(nodes);
      const client = await world.clientOf([balancer]);
      const answers: Attempt[] = [];
      let [requests, isOver] = [0, false];
      const asking = Array.from({ length: clients }, async () => {
        while (!isOver) {
          answers.push(await client.once('POST', '/tasks', { name: `Fault ${(requests += 1)}` }));
          await wait(pauseMs);
        }
      });
      for (let turn = 0; turn < restarts; turn += 1) {
        const node = nodes[turn % nodes.length] as ServiceProcess;
        await node.restart();
        await balancer.has(node);
      }
      isOver = true;
      await Promise.all([...asking, balancer.end()]);
      return {
        tried: answers.length,
        ...judgeTasks(madeBy(answers), await storedTasks(world)),
        more: { restarts },
        forbidden: [],
      };
    }),
};
