import { databaseHosts } from '#database-hosts';
import type { Outcome } from './case.js';
import type { Attempt } from './client.js';
import type { World } from './world.js';

/** What is in the database of a case's tasks; the first start makes tasks of its own. */
export async function storedTasks(databaseUrl: string): Promise<{ ids: Set<string>; stored: number; doubled: number }> {
  const { Client: DatabaseClient, connectionString } = databaseHosts(databaseUrl);
  const client = new DatabaseClient({ connectionString });
  await client.connect();
  const { rows } = await client.query<{ id: string; name: string }>(
    `select 'task_' || replace(id::text, '-', '') as id, name from tasks where name like 'Fault %'`,
  );
  await client.end();
  const names = new Set(rows.map(({ name }) => name));
  return { ids: new Set(rows.map(({ id }) => id)), stored: rows.length, doubled: rows.length - names.size };
}

/** Of tasks that were each asked for once. */
export async function countsOf(
  answers: readonly Attempt[],
  { postgres }: World,
): Promise<Pick<Outcome, 'acknowledged' | 'stored' | 'doubled' | 'lost'>> {
  const { ids, stored, doubled } = await storedTasks(postgres.url);
  const made = answers
    .filter(({ status }) => status === 201)
    .map(({ text }) => (JSON.parse(text) as { data: { id: string } }).data.id);
  return { acknowledged: made.length, stored, doubled, lost: made.filter((id) => !ids.has(id)).length };
}
