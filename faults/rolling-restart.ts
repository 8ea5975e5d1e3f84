import { setTimeout as wait } from 'node:timers/promises';
import type { Case } from './case.js';
import type { Attempt } from './client.js';
import type { ServiceProcess } from './service-processes.js';
import { countsOf } from './stored-tasks.js';
import { inWorld } from './world.js';

const restarts = 4;
const clients = 4;
const pauseMs = 20;
const probeMs = 250;
/** More than the two probes after which a balancer sends nothing more. */
const drainSeconds = 1;

/** Two nodes are restarted in turn; requests go to those that said at the last probe that they are ready, and once. */
export const rollingRestart: Case = {
  name: 'rolling-restart',
  run: () =>
    inWorld(async (world) => {
      const env = { WORKER: 'off', DRAIN_SECONDS: String(drainSeconds) };
      const nodes = await Promise.all([world.start('main', env), world.start('main', env)]);
      const ready = new Set(nodes);
      let isOver = false;
      const probing = nodes.map(async (node) => {
        for (; !isOver; await wait(probeMs)) ready[(await isReady(node)) ? 'add' : 'delete'](node);
      });
      let turns = 0;
      const balancer = {
        get url() {
          const up = nodes.filter((node) => ready.has(node));
          if (up.length === 0) throw new Error('No node is ready');
          return (up[(turns += 1) % up.length] as ServiceProcess).url;
        },
      };
      const client = await world.clientOf([balancer]);
      const answers: Attempt[] = [];
      let requests = 0;
      const asking = Array.from({ length: clients }, async () => {
        while (!isOver) {
          answers.push(await client.once('POST', '/tasks', { name: `Fault ${(requests += 1)}` }));
          await wait(pauseMs);
        }
      });
      for (let turn = 0; turn < restarts; turn += 1) {
        const node = nodes[turn % nodes.length] as ServiceProcess;
        await node.restart();
        while (!ready.has(node)) await wait(probeMs);
      }
      isOver = true;
      await Promise.all([...asking, ...probing]);
      return {
        tried: answers.length,
        ...(await countsOf(answers, world)),
        more: { restarts },
        forbidden: [],
      };
    }),
};

async function isReady({ url }: ServiceProcess): Promise<boolean> {
  const answer = await fetch(new URL('/readyz', url), { signal: AbortSignal.timeout(1_000) }).catch(() => undefined);
  return answer?.status === 200;
}
