import { AsyncLocalStorage } from 'node:async_hooks';
import type { DataSource, ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import { withTimeout } from '#with-timeout';
import { runBatch, type Row, type Statement } from './batch.js';
import type { Connected } from './connected.js';
import { asUnavailable, guarded, isBroken } from './failures.js';
import { FairPool } from './fair-pool.js';
import { OpenWork } from './open-work.js';
import { uuidIn } from './ids.js';
import { deferredConstraints, organizationSetting, setAll, timeLimit } from './settings.js';
import { StatementNames } from './statement-names.js';
import { Transaction } from './transaction.js';

/**
 * The database as one role sees it. A transaction is ambient: repositories that are called inside of it join it, and
 * a read outside of one is a transaction of its own in one round trip.
 *
 * With an organization, row security shows only its rows (those whose org_id is current_setting('app.org_id')).
 */
export abstract class Database {
  private readonly current = new AsyncLocalStorage<Transaction>();
  private readonly names = new StatementNames();
  protected readonly openWork = new OpenWork();

  readonly dataSource: DataSource;
  private readonly pool: FairPool;

  /** @param mostOfOne how many connections one organization may have at a time. */
  constructor(
    private readonly connected: Connected,
    mostOfOne = Number.POSITIVE_INFINITY,
  ) {
    this.dataSource = connected.dataSource;
    this.pool = new FairPool(connected.pool, mostOfOne);
  }

  /** How many connections are idle and in use, and how many requests wait for one. */
  get connections(): { idle: number; inUse: number; waiting: number } {
    const { idleCount: idle, totalCount } = this.connected.pool;
    return { idle, inUse: totalCount - idle, waiting: this.pool.waiting };
  }

  /** How many connections an organization uses. */
  connectionsOf(orgId: string): number {
    return this.pool.inUseBy(orgId);
  }

  /** True inside a transaction. */
  get inTransaction(): boolean {
    return this.current.getStore() !== undefined;
  }

  /** True inside a transaction that is undone in any case, so what would leave the service must stay. */
  get isRehearsing(): boolean {
    return this.current.getStore()?.isRehearsal ?? false;
  }

  /** Builds a write, for `execute`. */
  get builder(): SelectQueryBuilder<ObjectLiteral> {
    return this.dataSource.createQueryBuilder() as SelectQueryBuilder<ObjectLiteral>;
  }

  /** Inserts rows that have all their fields, on the current transaction. */
  async insert<T extends ObjectLiteral>(entity: new () => T, rows: T | T[]): Promise<void> {
    await this.execute(this.builder.insert().into(entity).values(rows).updateEntity(false));
  }

  /** Runs a write on the current transaction, with or without an organization. */
  async write(text: string, values: unknown[]): Promise<void> {
    const open = this.open();
    await guarded(() => open.rows(this.statement(text, values)));
  }

  /** Runs a write that TypeORM's query builder built, on the current transaction. */
  async execute(query: { getQueryAndParameters(): [string, unknown[]] }): Promise<void> {
    await this.write(...query.getQueryAndParameters());
  }

  async close(): Promise<void> {
    await this.dataSource.destroy();
  }

  /** Runs a part of the current transaction; if it fails, that part alone is undone. */
  async attempt<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await this.open().attempt(work);
    } catch (error) {
      throw asUnavailable(error);
    }
  }

  /** Sends what the current transaction has deferred, so that its errors are thrown here and not at COMMIT. */
  async flush(): Promise<void> {
    await guarded(() => this.open().flush());
  }

  /** Runs after the current transaction has committed, and never if it does not. */
  afterCommit(work: () => void): void {
    this.open().afterCommit.push(work);
  }

  /**
   * @param withinMs for a read outside of a transaction: a server that does not respond in this time counts as
   * unreachable.
   * @param before settings for a read outside of a transaction.
   */
  protected async readRows(
    orgId: string | null,
    read: Statement,
    { withinMs, before = [] }: { withinMs?: number | undefined; before?: readonly Statement[] } = {},
  ): Promise<Row[]> {
    const open = this.current.getStore();
    if (open) {
      this.refuseOther(open, orgId);
      return await guarded(() => open.rows(read));
    }
    return await guarded(async () => {
      const startedAt = performance.now();
      const client = await this.pool.connect(orgId ?? undefined);
      try {
        const batch = runBatch(client, [...this.settingsFor(orgId), ...before, read]);
        // If the server is late, the connection is unusable as well.
        const results = await (withinMs ? withTimeout(batch, startedAt + withinMs - performance.now()) : batch);
        client.release();
        return results.at(-1) ?? [];
      } catch (error) {
        client.release(isBroken(error));
        throw error;
      }
    });
  }

  protected deferWrite(orgId: string | null, text: string, values: unknown[], heard?: (rows: Row[]) => void): void {
    const open = this.open();
    this.refuseOther(open, orgId);
    open.defer({ ...this.statement(text, values), heard });
  }

  /**
   * One transaction around `work`; joins the current transaction if there is one.
   *
   * @throws service_unavailable (503) if the database is unreachable or no connection is free within 0.8 s.
   */
  protected async run<T>(orgId: string | null, work: () => Promise<T>): Promise<T> {
    const outer = this.current.getStore();
    if (outer) {
      this.refuseOther(outer, orgId);
      return await work();
    }
    return await this.openWork.during(() => this.runNew(orgId, work));
  }

  private async runNew<T>(orgId: string | null, work: () => Promise<T>): Promise<T> {
    const client = await guarded(() => this.pool.connect(orgId ?? undefined));
    const transaction = new Transaction(orgId, client, this.settingsFor(orgId));
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

  /**
   * One transaction around `work` that is checked as at COMMIT and then undone. Only sequences keep what they counted.
   *
   * @throws service_unavailable (503) as `run` does, and if it takes longer than `withinMs`.
   */
  protected async undone<T>(orgId: string, withinMs: number, work: () => Promise<T>): Promise<T> {
    const client = await guarded(() => this.pool.connect(orgId));
    const transaction = new Transaction(orgId, client, [...this.settingsFor(orgId), timeLimit(withinMs)], true);
    try {
      const result = await this.current.run(transaction, work);
      await transaction.rows(deferredConstraints);
      return result;
    } catch (error) {
      throw asUnavailable(error);
    } finally {
      await transaction.rollback();
      client.release();
    }
  }

  /** What each transaction begins with. */
  private settingsFor(orgId: string | null): Statement[] {
    const { settings } = this.connected;
    if (!settings) return organizationSetting(orgId);
    const all = { ...settings, ...(orgId !== null && { 'app.org_id': uuidIn(orgId) }) };
    return [{ text: setAll, values: [Object.keys(all), Object.values(all)] }];
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
    return { name: this.names.of(text), text, values };
  }
}
