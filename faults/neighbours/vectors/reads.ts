import type { Client } from '../../client.js';
import { clientsOf, every, multiply, over } from '../attacking.js';
import type { Vector } from '../vector.js';

const fetched = async (url: string, headers: Record<string, string>, init: RequestInit = {}): Promise<Response> => {
  const response = await fetch(url, { ...init, headers, signal: AbortSignal.timeout(15_000) });
  await response.arrayBuffer();
  return response;
};

/** Some thousand entries in the audit trail, and clients that read them. */
async function trailOf(attacker: Client): Promise<Client[]> {
  const clients = await clientsOf(attacker, 8);
  await Promise.all(
    clients.map(async (client) => {
      for (let task = 0; task < 250; task += 1) await client.send('POST', '/tasks', { name: `Task ${task}` });
    }),
  );
  return clients;
}

/** No operation verifies the trail: the operator's command does. */
export const auditVerification: Vector = {
  name: 'audit-verification',
  description: 'an audit trail of some thousand entries verified again and again by ops, beside the service',
  prepare: async ({ attacker, ops }) => {
    await trailOf(attacker);
    return over(1, async () => {
      await ops('audit', 'verify', '--org', 'attacker');
      return { status: 200 };
    });
  },
};

export const exports: Vector = {
  name: 'exports',
  description: 'an audit trail of some thousand entries exported as lines over six connections',
  prepare: async ({ attacker }) => {
    const clients = await trailOf(attacker);
    return over(6, async (connection) => clients[connection]?.once('GET', '/audit-entries/export'));
  },
};

export const lists: Vector = {
  name: 'lists',
  description: 'lists of a hundred large tasks over six connections',
  prepare: async (stage) => {
    const description = 'x'.repeat(9_000);
    const { id } = await stage.attacker.send('POST', '/tasks', { name: 'Task', description });
    await multiply(stage, { table: 'tasks', id: id as string, count: 5_000 });
    const clients = await clientsOf(stage.attacker, 6);
    return over(6, async (connection) => clients[connection]?.once('GET', '/tasks?limit=100&sort=-updatedAt'));
  },
};

export const streams: Vector = {
  name: 'streams',
  description: 'a hundred streams of events, and forty events a second that all of them get',
  prepare: ({ node, attacker, attackerKey, onEnd }) => {
    const ending = new AbortController();
    onEnd(() => ending.abort());
    const headers = { authorization: `Bearer ${attackerKey}`, accept: 'text/event-stream' };
    const follow = async (): Promise<void> => {
      const response = await fetch(`${node.url}/events/stream`, { headers, signal: ending.signal });
      for await (const _ of response.body ?? []) if (ending.signal.aborted) return;
    };
    return Promise.resolve(async (signal) => {
      for (let stream = 0; stream < 100; stream += 1) void follow().catch(() => undefined);
      await every(25, () => attacker.once('POST', '/tasks', { name: 'Event' }))(signal);
    });
  },
};

export const toolLists: Vector = {
  name: 'tool-lists',
  description: 'tools/list asked for over six connections',
  prepare: ({ url, attackerKey }) => {
    const headers = {
      authorization: `Bearer ${attackerKey}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
    };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
    return Promise.resolve(over(6, () => fetched(`${url}/mcp`, headers, { method: 'POST', body })));
  },
};
