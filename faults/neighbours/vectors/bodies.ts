import { clientsOf, multiply, over } from '../attacking.js';
import type { Vector } from '../vector.js';

/** Sixty levels, repeated up to nearly the largest body. */
const deep = `[${Array.from({ length: 7_000 }, () => `${'['.repeat(60)}1${']'.repeat(60)}`).join(',')}]`;
/** Nearly as many values as are accepted, in a field that contains a list of objects. */
const lists = Array.from({ length: 100 }, () => Array.from({ length: 190 }, () => ({})));
/** As many unknown fields. */
const fields = Object.fromEntries(Array.from({ length: 19_900 }, (_, n) => [`field${n}`, 1]));
const wide = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`key${n}`, 'x'.repeat(400)]));

export const deepBodies: Vector = {
  name: 'deep-json',
  description:
    'bodies nested as deep as they may be, and of as many values or fields as they may have, over six connections',
  prepare: async ({ attacker }) => {
    const clients = await clientsOf(attacker, 6);
    const bodies = [{ name: 'Task', metadata: JSON.parse(deep) as object }, { name: 'Task', checklist: lists }, fields];
    return over(6, async (connection, turn) =>
      clients[connection]?.once('POST', '/tasks', bodies[turn % bodies.length]),
    );
  },
};

export const idempotencyKeys: Vector = {
  name: 'idempotency',
  description: 'writes under new idempotency keys and under one that is in use, over eight connections',
  prepare: async ({ attacker }) => {
    const clients = await clientsOf(attacker, 8);
    return over(8, async (connection, turn) => {
      const key = turn % 2 === 0 ? `shared-${Math.floor(turn / 20)}` : `${connection}-${turn}`;
      return await clients[connection % 2 === 0 ? 0 : connection]?.once(
        'POST',
        '/tasks',
        { name: 'x', metadata: wide },
        { 'idempotency-key': key },
      );
    });
  },
};

const inOneRequest = 500;
const bulkRequests = ['start', 'complete', 'archive'];

export const bulk: Vector = {
  name: 'bulk',
  description: '500 tasks changed in each request, over four connections',
  prepare: async (stage) => {
    const { id } = await stage.attacker.send('POST', '/tasks', { name: 'Task' });
    await multiply(stage, { table: 'tasks', id: id as string, count: 60 * inOneRequest });
    const { rows } = await stage.database.query<{ id: string }>(
      `select 'task_' || replace(id::text, '-', '') as id from tasks where name = 'Task'`,
    );
    const clients = await clientsOf(stage.attacker, 4);
    return over(4, async (connection, turn) => {
      // A change without an effect costs less, so each task is changed in three requests before the next ones.
      const from = (connection + 4 * Math.floor(turn / bulkRequests.length)) * inOneRequest;
      const taskIds = rows.slice(from, from + inOneRequest).map((row) => row.id);
      const action = bulkRequests[turn % bulkRequests.length];
      return await clients[connection]?.once('POST', '/tasks/bulk', { taskIds, action });
    });
  },
};

export const attachments: Vector = {
  name: 'attachments',
  description: 'files of 5 MB attached over six connections',
  prepare: async ({ attacker }) => {
    const clients = await clientsOf(attacker, 6);
    const content = Buffer.alloc(5 * 1_024 * 1_024 - 64, 'The key sticks. ').toString('base64');
    const file = { fileName: 'note.txt', contentType: 'text/plain', content };
    return over(6, async (connection) => {
      const { id } = await attacker.send('POST', '/tasks', { name: 'Task' });
      return await clients[connection]?.once('POST', `/tasks/${id}/attachments`, file);
    });
  },
};

export const writes: Vector = {
  name: 'writes',
  description: 'tasks written over 24 connections with as many keys',
  prepare: async ({ attacker }) => {
    const clients = await clientsOf(attacker, 24);
    return over(24, async (connection) => clients[connection]?.once('POST', '/tasks', { name: 'Flood' }));
  },
};
