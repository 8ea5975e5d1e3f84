import { databaseHosts } from '#database-hosts';
import type { Outcome } from './case.js';
import type { Attempt } from './client.js';
import type { World } from './world.js';

export interface StoredTask {
  id: string;
  name: string;
}

/** The tasks of a case in the database; the first start creates tasks of its own. */
export async function storedTasks({ postgres }: World): Promise<StoredTask[]> {
  const { Client: DatabaseClient, connectionString } = databaseHosts(postgres.url);
  const client = new DatabaseClient({ connectionString });
  await client.connect();
  const { rows } = await client.query<StoredTask>(
    `select 'task_' || replace(id::text, '-', '') as id, name from tasks where name like 'Fault %'`,
  );
  await client.end();
  return rows;
}

/** @param acknowledged ids of the tasks whose creation succeeded; each has a unique name. */
export function judgeTasks(
  acknowledged: readonly string[],
  stored: readonly StoredTask[],
): Pick<Outcome, 'acknowledged' | 'stored' | 'doubled' | 'lost'> {
  const ids = new Set(stored.map(({ id }) => id));
  return {
    acknowledged: acknowledged.length,
    stored: stored.length,
    doubled: stored.length - new Set(stored.map(({ name }) => name)).size,
    lost: acknowledged.filter((id) => !ids.has(id)).length,
  };
}

/** Ids of the tasks that these responses report as created. */
export const madeBy = (answers: readonly Attempt[]): string[] =>
  answers
    .filter(({ status }) => status === 201)
    .map(({ text }) => (JSON.parse(text) as { data: { id: string } }).data.id);
