import { AsyncLocalStorage } from 'node:async_hooks';
import type { ClientBase, Pool, PoolClient } from 'pg';
import pg from 'pg';
import type { DataSource, EntityManager, QueryRunner } from 'typeorm';
import { runBatch, type Row, type Statement } from './batch.js';
import { asUnavailable } from './failures.js';
import { uuidIn } from './ids.js';

interface Transaction {
  readonly orgId: string | null;
  readonly runner: QueryRunner;
  readonly client: ClientBase;
  readonly afterCommit: (() => void)[];
}

/**
 * The database as one role sees it. A transaction is ambient: repositories that are called inside of it join it, and
 * a read outside of one is a transaction of its own in one round trip.
 *
 * With an organization, row security shows only its rows (design: org_id = current_setting('app.org_id')).
 */
abstract class Database {
  private readonly current = new AsyncLocalStorage<Transaction>();
  private readonly names = new Map<string, string>();

  constructor(readonly dataSource: DataSource) {}

  /** True inside a transaction. */
  get inTransaction(): boolean {
    return this.current.getStore() !== undefined;
  }

  /** TypeORM's manager on the current transaction: all writes go through it. */
  get manager(): EntityManager {
    return this.open().runner.manager;
  }

  /** Runs after the current transaction has committed, and never if it does not. */
  afterCommit(work: () => void): void {
    this.open().afterCommit.push(work);
  }

  protected async readRows(orgId: string | null, text: string, values: unknown[]): Promise<Row[]> {
    const open = this.current.getStore();
    if (open) {
      this.refuseOther(open, orgId);
      return await guarded(async () => (await open.client.query<Row>({ name: this.nameOf(text), text, values })).rows);
    }
    return await guarded(async () => {
      const client = await this.connect();
      try {
        const read: Statement = { name: this.nameOf(text), text, values };
        const setting = orgId === null ? [] : [organizationSetting(orgId)];
        const results = await runBatch(client, [...setting, read]);
        client.release();
        return results.at(-1) ?? [];
      } catch (error) {
        client.release(isBroken(error));
        throw error;
      }
    });
  }

  /**
   * One transaction around `work`; called inside of one it joins it. `opening` is SQL that shares the first round trip,
   * its rows are handed to `work`.
   *
   * @throws service_unavailable (503) when the database is out of reach or no connection is free within 0.8 s.
   */
  protected async run<T>(orgId: string | null, work: (opened: Row[]) => Promise<T>, opening?: string): Promise<T> {
    const outer = this.current.getStore();
    if (outer) {
      this.refuseOther(outer, orgId);
      return await work([]);
    }
    const runner = this.dataSource.createQueryRunner();
    const client = await guarded(async () => (await runner.connect()) as PoolClient);
    const transaction: Transaction = { orgId, runner, client, afterCommit: [] };
    try {
      const opened = await guarded(() => begin(client, orgId, opening));
      const result = await this.current.run(transaction, () => work(opened));
      await guarded(() => commit(client));
      transaction.afterCommit.forEach((call) => call());
      return result;
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined);
      throw asUnavailable(error);
    } finally {
      await runner.release();
    }
  }

  private open(): Transaction {
    const open = this.current.getStore();
    if (!open) throw new Error('A write needs a transaction around it');
    return open;
  }

  private refuseOther(open: Transaction, orgId: string | null): void {
    if (open.orgId !== orgId) throw new Error('A transaction belongs to one organization');
  }

  private connect(): Promise<PoolClient> {
    return (this.dataSource.driver as unknown as { master: Pool }).master.connect();
  }

  /** The same text is prepared once per connection, under one short name. */
  private nameOf(text: string): string {
    let name = this.names.get(text);
    if (!name) this.names.set(text, (name = `s${this.names.size}`));
    return name;
  }
}

/** The organizations' data, one organization at a time, under row security. */
export class TenantDatabase extends Database {
  rows(orgId: string, text: string, values: unknown[]): Promise<Row[]> {
    return this.readRows(orgId, text, values);
  }

  transaction<T>(orgId: string, work: (opened: Row[]) => Promise<T>, opening?: string): Promise<T> {
    return this.run(orgId, work, opening);
  }
}

/** What comes before or stands above an organization: credentials, accounts, consent, sweeps, operators' commands. */
export class SystemDatabase extends Database {
  rows(text: string, values: unknown[] = []): Promise<Row[]> {
    return this.readRows(null, text, values);
  }

  transaction<T>(work: () => Promise<T>): Promise<T> {
    return this.run(null, work);
  }

  /** Runs `work` on one node at a time, whoever else asks under the same name waits. */
  async exclusive<T>(name: string, work: () => Promise<T>): Promise<T> {
    return await this.transaction(async () => {
      await this.rows('select pg_advisory_xact_lock(hashtextextended($1, 0))', [name]);
      return await work();
    });
  }
}

const organizationSetting = (orgId: string): Statement => ({
  name: 'organization',
  text: "select set_config('app.org_id', $1, true)",
  values: [uuidIn(orgId)],
});

async function begin(client: ClientBase, orgId: string | null, opening?: string): Promise<Row[]> {
  const setting = orgId === null ? [] : [`select set_config('app.org_id', ${pg.escapeLiteral(uuidIn(orgId))}, true)`];
  const results: unknown = await client.query(['begin', ...setting, ...(opening ? [opening] : [])].join('; '));
  return Array.isArray(results) ? (results as pg.QueryResult<Row>[]).flatMap(({ rows }) => rows) : [];
}

/** COMMIT of a transaction that failed answers ROLLBACK and no error: nothing may be acknowledged after that. */
async function commit(client: ClientBase): Promise<void> {
  const { command } = await client.query('COMMIT');
  if (command !== 'COMMIT') throw new Error(`The transaction ended with ${command}`);
}

async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asUnavailable(error);
  }
}

/** A statement that the server refused leaves the connection usable; anything else does not. */
const isBroken = (error: unknown): boolean => !(error instanceof pg.DatabaseError) || error.severity === 'FATAL';
