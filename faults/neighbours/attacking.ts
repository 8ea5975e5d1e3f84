import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from '../client.js';
import type { Attack, Stage } from './vector.js';

/** An attacker that is rejected tries again soon, whatever Retry-After says. */
const afterRefusalMs = 20;

/** This many connections that each send the next request as soon as the last one is answered. */
export const over =
  (connections: number, ask: (connection: number, turn: number) => Promise<{ status?: number } | undefined>): Attack =>
  (signal) =>
    Promise.all(
      Array.from({ length: connections }, async (_, connection) => {
        for (let turn = 0; !signal.aborted; turn += 1) {
          const answer = await ask(connection, turn).catch(() => undefined);
          if (!answer?.status || answer.status >= 400) await wait(afterRefusalMs);
        }
      }),
    );

/** Once every so many milliseconds, whether or not the previous one is answered. */
export const every =
  (ms: number, ask: (turn: number) => Promise<unknown>): Attack =>
  async (signal) => {
    for (let turn = 0; !signal.aborted; turn += 1) {
      void ask(turn).catch(() => undefined);
      await wait(ms);
    }
  };

/** Clients with a key each, because one key has 50 requests a second. */
export const clientsOf = (client: Client, count: number): Promise<Client[]> =>
  Promise.all(Array.from({ length: count }, () => client.keyed()));

export async function propertyOf(client: Client): Promise<string> {
  const { id } = await client.send('POST', '/properties', { name: 'Lake House', timezone: 'UTC' });
  return id as string;
}

interface Copies {
  table: string;
  /** Of the row that is copied. */
  id: string;
  count: number;
  /** The differences of the n-th copy: a JSON object, in SQL. */
  changes?: string;
}

/** A row many times over, each with its own id: creating them would take a client minutes. */
export async function multiply({ database }: Stage, { table, id, count, changes = `'{}'` }: Copies): Promise<void> {
  const { rows } = await database.query<{ column_name: string }>(
    `select column_name from information_schema.columns where table_name = $1 and is_generated = 'NEVER'`,
    [table],
  );
  const columns = rows.map(({ column_name }) => `"${column_name}"`);
  await database.query(
    `insert into ${table} (${columns.join(', ')})
     select ${columns.map((column) => `(copy).${column}`).join(', ')}
       from (select jsonb_populate_record(r, jsonb_build_object('id', gen_random_uuid()) || (${changes})::jsonb) as copy
               from ${table} r cross join generate_series(1, ${count}) n
              where replace(r.id::text, '-', '') = $1) copies`,
    [id.slice(id.indexOf('_') + 1)],
  );
  await database.query(`analyze ${table}`);
}
