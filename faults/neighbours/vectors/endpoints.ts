import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { every, propertyOf } from '../attacking.js';
import type { Stage, Vector } from '../vector.js';

const endpoints = 160;
const answersAfterMs = 14_000;

/** A server that receives requests, and answers them when it chooses. */
async function receiverOf({ onEnd }: Stage, answerTo: (body: string) => number): Promise<string> {
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => setTimeout(() => response.writeHead(204).end(), answerTo(body)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onEnd(() => server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export const slowEndpoints: Vector = {
  name: 'endpoints',
  description: '160 endpoints (or as many as are accepted) that answer after 14 s, while the victim awaits deliveries',
  prepare: async (stage) => {
    const { attacker } = stage;
    const url = await receiverOf(stage, () => answersAfterMs);
    for (let n = 0; n < endpoints; n += 1) {
      const { status } = await attacker.once('POST', '/webhook-endpoints', {
        url: `${url}/${n}`,
        eventTypes: ['task.created'],
      });
      if (status !== 201) break;
    }
    return every(1_000, () => attacker.once('POST', '/tasks', { name: 'Event' }));
  },
  waits: async (stage) => {
    const { victim } = stage;
    const propertyId = await propertyOf(victim);
    const heard = new Map<string, () => void>();
    const url = await receiverOf(stage, (body) => {
      const { data } = JSON.parse(body) as { data: { data: { name: string } } };
      heard.get(data.data.name)?.();
      return 0;
    });
    await victim.send('POST', '/webhook-endpoints', { url, eventTypes: ['task.created'], propertyIds: [propertyId] });
    let made = 0;
    const once = async () => {
      const name = `Delivery ${(made += 1)}`;
      const came = new Promise<void>((resolve) => heard.set(name, resolve));
      const startedAt = performance.now();
      const { status } = await victim.once('POST', '/tasks', { name, propertyId });
      if (status === 201) await came;
      return { startedAt, endedAt: performance.now(), status };
    };
    return { name: 'delivery', once };
  },
};
