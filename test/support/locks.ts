import pg from 'pg';
import type { Json } from './api.js';
import { until } from './feed.js';
import type { Tenant } from './tenant.js';

/** The sessions that wait for a lock in this database, because other test files have theirs on the same server. */
export const waitingForLocks = `select 1 from pg_locks
  where not granted and pid in (select pid from pg_stat_activity where datname = current_database())`;

export interface Reply {
  status: number;
  body: Json;
}

/** The record that a request shows or made. */
export function dataOf({ status, body }: Reply): Json {
  if (status >= 300) throw new Error(JSON.stringify(body));
  return body.data as Json;
}

export const idOf = async (asked: Promise<Reply>): Promise<string> => dataOf(await asked).id as string;

/** The older of two records is the first one in every order of ids. */
export const two = async (make: (name: string) => Promise<string>): Promise<[string, string]> => [
  await make('Older'),
  await make('Newer'),
];

/** Two sessions beside those of the service: one holds a row, the other one looks who waits for it. */
export class HeldRows {
  private constructor(
    private readonly holder: pg.Client,
    private readonly watcher: pg.Client,
  ) {}

  static async of({ service }: Tenant): Promise<HeldRows> {
    const [holder, watcher] = [1, 2].map(() => new pg.Client({ connectionString: service.database.url })) as [
      pg.Client,
      pg.Client,
    ];
    await Promise.all([holder.connect(), watcher.connect()]);
    return new HeldRows(holder, watcher);
  }

  async end(): Promise<void> {
    await Promise.all([this.holder.end(), this.watcher.end()]);
  }

  /**
   * The statuses of two requests that wait for the same row, the first one first: each of them keeps what it has locked
   * before, and both continue once the row is free.
   */
  async bothBehind(
    [table, id]: readonly [table: string, id: string],
    first: () => Promise<Reply>,
    second: () => Promise<Reply>,
  ): Promise<[number, number]> {
    await this.holder.query('begin');
    await this.holder.query(`select 1 from ${table} where id = $1 for update`, [id.slice(id.indexOf('_') + 1)]);
    const waiting = (count: number) =>
      until(
        () => this.watcher.query(waitingForLocks),
        ({ rowCount }) => rowCount === count,
      );
    const one = first();
    await waiting(1);
    const other = second();
    await waiting(2);
    await this.holder.query('commit');
    return [(await one).status, (await other).status];
  }
}
