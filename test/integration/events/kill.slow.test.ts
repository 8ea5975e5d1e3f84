import type { DueRow, Jobs, Work } from '#jobs';
import { Outbound } from '#outbound';
import { WakeUps } from '#wake-ups';
import { DeliveryService } from '../../../src/outside/webhooks/delivery.service.js';
import { mostToEndpoint } from '../../../src/outside/webhooks/dispatch-statements.js';
import { DispatchRepository } from '../../../src/outside/webhooks/dispatch.repository.js';
import { Dispatcher } from '../../../src/outside/webhooks/dispatcher.js';
import { loadKeyring } from '../../../src/processes/keyring-file.js';
import { newDataDir, removeDataDir, startWorker } from '../../support/child-service.js';
import { clock } from '../../support/clock.js';
import { type FreshDatabase, freshDatabase } from '../../support/database.js';
import { keyWith, taskOf } from '../../support/factories.js';
import { performOnce } from '../../support/jobs.js';
import { type Received, type Receiver, startReceiver } from '../../support/receiver.js';
import { type Service, startApp } from '../../support/start-app.js';

/** `kill -9` of a worker during deliveries, and what another worker does with them. */
const dataDir = newDataDir();
const env = { OUTBOUND_ALLOW: '127.0.0.1' };
let database: FreshDatabase;
let receiver: Receiver;
let survivor: Service;
let worker: Awaited<ReturnType<typeof startWorker>> | undefined;
beforeAll(async () => {
  [database, receiver] = [await freshDatabase(), await startReceiver()];
  survivor = await startApp({ WORKER: 'off', ...env }, { database, keyring: loadKeyring(dataDir) });
});
afterEach(() => clock.restore());
afterAll(async () => {
  await worker?.kill('SIGKILL');
  await survivor.close();
  await receiver.close();
  await database.drop();
  removeDataDir(dataDir);
});

const [tasks, changes, held] = [25, 4, 40];

/** What the survivor's own dispatcher does, without the queue, which waits a quarter of a minute for a dead worker. */
async function dispatchDue(): Promise<void> {
  const works: Work<DueRow>[] = [];
  const { app } = survivor;
  const jobs = { take: (work: Work<DueRow>) => works.push(work) } as unknown as Jobs;
  new Dispatcher(app.get(DispatchRepository), app.get(DeliveryService), app.get(Outbound), app.get(WakeUps), jobs);
  for (const work of works) await performOnce(work);
}

const idOf = ({ headers }: Received): string => headers['webhook-id'] as string;

it('delivers each event at least once, in the order of each record, although a worker is killed', async () => {
  const { api } = await keyWith(survivor.api);
  await api.post('/webhook-endpoints', { url: receiver.url, eventTypes: ['*'] });
  await Promise.all(
    Array.from({ length: tasks }, async () => {
      const id = await taskOf(api);
      await api.patch(`/tasks/${id}`, { priority: 'high' });
      for (const step of ['start', 'complete']) await api.post(`/tasks/${id}/${step}`);
    }),
  );
  const answered: Received[] = [];
  // One is received, but its worker is killed before it reads the response.
  receiver.answer = (delivery, response) => {
    if (receiver.received.length === held) return;
    answered.push(delivery);
    response.writeHead(204).end();
  };
  worker = await startWorker(dataDir, { DATABASE_URL: database.url, ...env });
  await receiver.count(held);
  await worker.kill('SIGKILL');
  clock.advance(31_000);
  while (new Set(answered.map(idOf)).size < tasks * changes) await dispatchDue();

  const came = receiver.received;
  const first = new Map(came.toReversed().map((delivery) => [idOf(delivery), delivery]));
  expect(first.size).toBe(tasks * changes);
  // Only what the worker had in flight is sent again.
  const again = came.filter((delivery) => first.get(idOf(delivery)) !== delivery);
  expect(again.map(idOf)).toContain(idOf(came[held - 1] as Received));
  expect(again.length).toBeLessThanOrEqual(mostToEndpoint);
  expect(again.map(({ text }) => text)).toEqual(again.map((delivery) => first.get(idOf(delivery))?.text));
  const firstAnswered = [...new Map(answered.toReversed().map((delivery) => [idOf(delivery), delivery])).values()];
  const orders = Map.groupBy(firstAnswered.toReversed(), ({ body }) => body.data.subject.id as string);
  expect([...orders.values()].map((deliveries) => deliveries.map(({ body }) => body.data.sequence as number))).toEqual(
    Array(tasks).fill([1, 2, 3, 4]),
  );
}, 60_000);
