import type { Client } from '../../client.js';
import { clientsOf, every, multiply, over, propertyOf } from '../attacking.js';
import type { Stage, Vector } from '../vector.js';

const inOneRequest = 500;
const referencesAtOnce = 200;

/** A system that pushes its records, and its saves: the same ones each time, with other names. */
async function pushed(attacker: Client): Promise<(connection: number, turn: number) => object[]> {
  const propertyId = await propertyOf(attacker);
  const day = (n: number): string => new Date(Date.now() + n * 86_400_000).toISOString().slice(0, 10);
  return (connection, turn) =>
    Array.from({ length: referencesAtOnce }, (_, n) => ({
      externalId: `${connection}-${n}`,
      propertyId,
      checkInDate: day(n + 1),
      checkOutDate: day(n + 2),
      primaryGuest: { name: `Guest ${turn}` },
    }));
}

const savesInBulk =
  (query: string) =>
  async ({ attacker }: Stage) => {
    const items = await pushed(attacker);
    const vendor = { provider: 'push', kind: 'pms', name: 'Vendor', credentials: {}, settings: {} };
    const { id } = await attacker.send('POST', '/connections', vendor);
    const clients = await clientsOf(attacker, 4);
    return over(4, async (connection, turn) =>
      clients[connection]?.once('POST', `/connections/${id}/reservations/bulk${query}`, {
        items: items(connection, turn),
      }),
    );
  };

export const references: Vector = {
  name: 'references',
  description: '200 stays saved by reference in each request, over four connections',
  prepare: savesInBulk(''),
};

export const referenceRehearsals: Vector = {
  name: 'reference-rehearsals',
  description: '200 new stays rehearsed in each request, over four connections',
  prepare: savesInBulk('?dryRun=true'),
};

/** Requests that each change 500 tasks, with different tasks for each connection. */
async function changingTasks(stage: Stage, connections: number): Promise<string[][]> {
  const { id } = await stage.attacker.send('POST', '/tasks', { name: 'Task' });
  await multiply(stage, { table: 'tasks', id: id as string, count: connections * inOneRequest });
  const { rows } = await stage.database.query<{ id: string }>(
    `select 'task_' || replace(id::text, '-', '') as id from tasks where name = 'Task'`,
  );
  const ids = rows.map((row) => row.id);
  return Array.from({ length: connections }, (_, n) => ids.slice(n * inOneRequest, (n + 1) * inOneRequest));
}

export const rehearsals: Vector = {
  name: 'rehearsals',
  description: 'a change of 500 tasks rehearsed in each request, over four connections',
  prepare: async (stage) => {
    const tasks = await changingTasks(stage, 4);
    const clients = await clientsOf(stage.attacker, 4);
    return over(4, async (connection) =>
      clients[connection]?.once('POST', '/tasks/bulk?dryRun=true', { taskIds: tasks[connection], action: 'start' }),
    );
  },
};

export const undone: Vector = {
  name: 'undo',
  description: '500 changes made in a request and undone in the next, over four connections',
  prepare: async (stage) => {
    const tasks = await changingTasks(stage, 4);
    const clients = await clientsOf(stage.attacker, 4);
    return over(4, async (connection) => {
      const client = clients[connection];
      const made = await client?.once('POST', '/tasks/bulk', { taskIds: tasks[connection], action: 'start' });
      const requestId = /"requestId":"([^"]+)"/.exec(made?.text ?? '')?.[1];
      return requestId ? await client?.once('POST', '/changes/undo', { requestId }) : made;
    });
  },
};

export const organizationExports: Vector = {
  name: 'organization-exports',
  description: 'an organization of 20,000 tasks exported again and again',
  prepare: async (stage) => {
    const { id } = await stage.attacker.send('POST', '/tasks', { name: 'Task', description: 'x'.repeat(2_000) });
    await multiply(stage, { table: 'tasks', id: id as string, count: 20_000 });
    // As the page of its owners requests one, which requires a sign-in; more than one wait, so that one is always
    // written.
    const request = `
      insert into organization_exports (org_id, id, status, attempts, created_at, due_at)
      select id, gen_random_uuid(), 'waiting', 0, now(), now() from organizations
       where slug = 'attacker' and (select count(*) from organization_exports where status = 'waiting') < 3`;
    return every(500, () => stage.database.query(request));
  },
};
