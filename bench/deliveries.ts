/**
 * Events and their deliveries: `node dist/bench/deliveries.js`. How many writes a second notify their endpoints, how
 * many deliveries a second one worker makes from a backlog, and how long a single one takes.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { httpRequest, load } from './client.js';
import { prepareFixtures } from './fixtures.js';
import { textTable } from './report.js';
import { quantile } from './statistics.js';
import { programOf, startTarget } from './target.js';

const events = 3_000;
const connections = 16;
const single = 100;
const json = JSON.stringify({ name: 'Change the linen' });

/** What the receiver has received so far, and when it will have received this many. */
let received = 0;
let wake: () => void = () => undefined;
const receiver = createServer((request, response) => {
  request.resume().once('end', () => {
    response.writeHead(204).end();
    received += 1;
    wake();
  });
}).listen(0, '127.0.0.1');
await once(receiver, 'listening');
const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
const reaches = async (count: number): Promise<void> => {
  while (received < count) await new Promise<void>((resolve) => (wake = resolve));
};

async function measure(endpoints: number): Promise<(string | number)[]> {
  const fixtures = await prepareFixtures();
  const { tokens } = await fixtures.addTenant(1);
  const token = (index: number): string => tokens[index % tokens.length] as string;
  Object.assign(process.env, { WORKER: 'off', OUTBOUND_ALLOW: '127.0.0.1' });
  const node = await startTarget('service', fixtures, programOf('service'));
  try {
    const endpoint = httpRequest('POST /api/v1/webhook-endpoints', {
      token: token(0),
      body: JSON.stringify({ url, eventTypes: ['task.created'] }),
    });
    await load(node.port, Array(endpoints).fill(endpoint), 1, 201);
    const write = (index: number) => httpRequest('POST /api/v1/tasks', { token: token(index), body: json });
    const writes = Array.from({ length: events }, (_, index) => write(index));
    const { wallMs } = await load(node.port, writes, connections, 201);
    received = 0;
    const worker = await startTarget('worker', fixtures, programOf('service').replace('main.js', 'worker.js'));
    try {
      // The clock runs from the first delivery on, because a worker takes a moment to start.
      await reaches(1);
      const startedAt = performance.now();
      await reaches(events * endpoints);
      const deliveryMs = performance.now() - startedAt;
      const latencies: number[] = [];
      for (let index = 0; index < single; index += 1) {
        const before = received;
        const writtenAt = performance.now();
        await load(node.port, [write(index)], 1, 201);
        await reaches(before + endpoints);
        latencies.push(performance.now() - writtenAt);
      }
      const perSecond = (count: number, ms: number): string => ((count * 1_000) / ms).toFixed(0);
      const [p50, p99] = [quantile(latencies, 0.5), quantile(latencies, 0.99)];
      const latency = [p50, p99].map((ms) => ms.toFixed(0));
      return [endpoints, perSecond(events, wallMs), perSecond(events * endpoints, deliveryMs), ...latency];
    } finally {
      await worker.stop();
    }
  } finally {
    await node.stop();
    await fixtures.remove();
  }
}

const rows: (string | number)[][] = [];
for (const endpoints of [1, 4]) rows.push(await measure(endpoints));
const head = ['endpoints', 'writes/s', 'deliveries/s', 'write to receipt p50 ms', 'p99 ms'];
process.stdout.write(`${textTable([head, ...rows.map((row) => row.map(String))])}\n`);
receiver.closeAllConnections();
receiver.close();
