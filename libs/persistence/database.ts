import { AsyncLocalStorage } from 'node:async_hooks';
import type { Pool } from 'pg';
import pg from 'pg';
import type { DataSource, EntityManager } from 'typeorm';
import { timely } from '#timely';
import { runBatch, type Row, type Statement } from './batch.js';
import { asUnavailable } from './failures.js';
import { FairPool } from './fair-pool.js';
import { uuidIn } from './ids.js';
import { Transaction } from './transaction.js';

const maxNamedStatements = 500;

/**
 * The database as one role sees it. A transaction is ambient: repositories that are called inside of it join it, and
 * a read outside of one is a transaction of its own in one round trip.
 *
 * With an organization, row security shows only its rows (design: org_id = current_setting('app.org_id')).
 */
abstract class Database {
  private readonly current = new AsyncLocalStorage<Transaction>();
  private readonly names = new Map<string, string>();

  private readonly pool: FairPool;

  /** @param mostOfOne how many connections one organization may have at a time. */
  constructor(
    readonly dataSource: DataSource,
    mostOfOne = Number.POSITIVE_INFINITY,
  ) {
    this.pool = new FairPool((dataSource.driver as unknown as { master: Pool }).master, mostOfOne);
  }

  /** How many wait for a connection. */
  get waiting(): number {
    return this.pool.waiting;
  }

  /** True inside a transaction. */
  get inTransaction(): boolean {
    return this.current.getStore() !== undefined;
  }

  /** TypeORM's manager on the current transaction. */
  get manager(): EntityManager {
    return this.open().manager;
  }

  /** Sends now what the current transaction has deferred, for whoever wants to know of its errors. */
  async flush(): Promise<void> {
    await guarded(() => this.open().flush());
  }

  /** Runs after the current transaction has committed, and never if it does not. */
  afterCommit(work: () => void): void {
    this.open().afterCommit.push(work);
  }

  /** @param withinMs of a read outside of a transaction: a server that says nothing for so long is out of reach. */
  protected async readRows(orgId: string | null, read: Statement, withinMs?: number): Promise<Row[]> {
    const open = this.current.getStore();
    if (open) {
      this.refuseOther(open, orgId);
      return await guarded(() => open.rows(read));
    }
    return await guarded(async () => {
      const startedAt = performance.now();
      const client = await this.pool.connect(orgId ?? undefined);
      try {
        const batch = runBatch(client, [...organizationSetting(orgId), read]);
        // Where it is late, its connection is of no use any more either.
        const results = await (withinMs ? timely(batch, startedAt + withinMs - performance.now()) : batch);
        client.release();
        return results.at(-1) ?? [];
      } catch (error) {
        client.release(isBroken(error));
        throw error;
      }
    });
  }

  protected deferWrite(orgId: string | null, text: string, values: unknown[]): void {
    const open = this.open();
    this.refuseOther(open, orgId);
    open.defer(this.statement(text, values));
  }

  /**
   * One transaction around `work`; called inside of one it joins it.
   *
   * @throws service_unavailable (503) when the database is out of reach or no connection is free within 0.8 s.
   */
  protected async run<T>(orgId: string | null, work: () => Promise<T>): Promise<T> {
    const outer = this.current.getStore();
    if (outer) {
      this.refuseOther(outer, orgId);
      return await work();
    }
    const client = await guarded(() => this.pool.connect(orgId ?? undefined));
    const transaction = new Transaction(orgId, client, this.dataSource, organizationSetting(orgId));
    let result: T;
    try {
      result = await this.current.run(transaction, work);
      await transaction.commit();
    } catch (error) {
      await transaction.rollback();
      throw asUnavailable(error);
    } finally {
      client.release();
    }
    transaction.afterCommit.forEach((call) => call());
    return result;
  }

  private open(): Transaction {
    const open = this.current.getStore();
    if (!open) throw new Error('A write needs a transaction around it');
    return open;
  }

  private refuseOther(open: Transaction, orgId: string | null): void {
    if (open.orgId !== orgId) throw new Error('A transaction belongs to one organization');
  }

  protected statement(text: string, values: unknown[]): Statement {
    return { name: this.nameOf(text), text, values };
  }

  /**
   * The same text is prepared once per connection, under one short name. Filters combine to more texts than a server
   * should keep, and a client chooses them, so those beyond the first many are parsed each time.
   */
  private nameOf(text: string): string | undefined {
    let name = this.names.get(text);
    if (!name && this.names.size < maxNamedStatements) this.names.set(text, (name = `s${this.names.size}`));
    return name;
  }
}

/** The organizations' data, one organization at a time, under row security. */
export class TenantDatabase extends Database {
  /**
   * @param plannedByValue for a statement whose best plan depends on its values, such as one about a span of time: it is
   *   planned each time it runs, while the plan of any other is kept with the connection.
   */
  rows(orgId: string, text: string, values: unknown[], plannedByValue = false): Promise<Row[]> {
    return this.readRows(orgId, plannedByValue ? { text, values } : this.statement(text, values));
  }

  transaction<T>(orgId: string, work: () => Promise<T>): Promise<T> {
    return this.run(orgId, work);
  }

  /**
   * A write whose outcome nothing in the transaction waits for: it saves a round trip by travelling with the next
   * statement or with COMMIT, in order. What it violates is told there, so it is for rows that violate nothing.
   */
  defer(orgId: string, text: string, values: unknown[]): void {
    this.deferWrite(orgId, text, values);
  }
}

/** What comes before or stands above an organization: credentials, accounts, consent, sweeps, operators' commands. */
export class SystemDatabase extends Database {
  rows(text: string, values: unknown[] = [], withinMs?: number): Promise<Row[]> {
    return this.readRows(null, this.statement(text, values), withinMs);
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

const organizationSetting = (orgId: string | null): Statement[] =>
  orgId === null
    ? []
    : [{ name: 'organization', text: "select set_config('app.org_id', $1, true)", values: [uuidIn(orgId)] }];

async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asUnavailable(error);
  }
}

/** A statement that the server refused leaves the connection usable; anything else does not. */
const isBroken = (error: unknown): boolean => !(error instanceof pg.DatabaseError) || error.severity === 'FATAL';
