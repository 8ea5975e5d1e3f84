import { AsyncLocalStorage } from 'node:async_hooks';
import type { DataSource, ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import type { Row, Statement } from './batch.js';
import type { Connected } from './connected.js';
import { Connections, type LoneRead } from './connections.js';
import { guarded } from './failures.js';
import { OpenWork } from './open-work.js';
import { deferredConstraints, timeLimit } from './settings.js';
import { StatementNames } from './statement-names.js';
import type { Part, Transaction, WriteTogether } from './transaction.js';

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
  readonly connections: Connections;

  /** @param mostOfOne how many connections one organization may have at a time. */
  constructor(connected: Connected, mostOfOne = Number.POSITIVE_INFINITY) {
    this.dataSource = connected.dataSource;
    this.connections = new Connections(connected, mostOfOne);
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
    return await guarded(() => this.open().attempt(work));
  }

  /** Begins a part of the current transaction, for `undoPart`; otherwise it ends with the transaction. */
  beginPart(): Part {
    return this.open().beginPart();
  }

  async undoPart(part: Part): Promise<void> {
    await this.open().undoPart(part);
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
   * Keeps items until the current transaction ends: `write` defers what it takes to write them, all together. Until
   * then nothing can read them, and a rehearsal does not write them.
   */
  keep<T>(write: WriteTogether<T>, items: readonly T[]): void {
    this.open().keep(write, items);
  }

  /** Defers what the current transaction has kept so far, where a later part of it reads that. */
  async writeKept(): Promise<void> {
    await this.open().writeKept();
  }

  protected async readRows(orgId: string | null, read: Statement, ifLone: LoneRead = {}): Promise<Row[]> {
    const open = this.current.getStore();
    if (!open) return await this.connections.read(orgId, read, ifLone);
    this.refuseOther(open, orgId);
    return await guarded(() => open.rows(read));
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
    const { result, afterCommit } = await this.connections.during({ orgId }, async (transaction) => {
      try {
        const done = await this.current.run(transaction, async () => {
          const worked = await work();
          await transaction.writeKept();
          return worked;
        });
        await transaction.commit();
        return { result: done, afterCommit: transaction.afterCommit };
      } catch (error) {
        await transaction.rollback();
        throw error;
      }
    });
    afterCommit.forEach((call) => call());
    return result;
  }

  /**
   * One transaction around `work` that is checked as at COMMIT and then undone. Only sequences keep what they counted.
   *
   * @throws service_unavailable (503) as `run` does, and if it takes longer than `withinMs`.
   */
  protected async undone<T>(orgId: string, withinMs: number, work: () => Promise<T>): Promise<T> {
    return await this.connections.during(
      { orgId, before: [timeLimit(withinMs)], isRehearsal: true },
      async (transaction) => {
        try {
          const result = await this.current.run(transaction, work);
          await transaction.rows(deferredConstraints);
          return result;
        } finally {
          await transaction.rollback();
        }
      },
    );
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
