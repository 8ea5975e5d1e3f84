import type { ClientBase } from 'pg';
import type { DataSource, EntityManager, QueryRunner } from 'typeorm';
import { type Row, runBatch, type Statement } from './batch.js';

const begin: Statement = { name: 'begin', text: 'begin', values: [] };
const commit: Statement = { name: 'commit', text: 'commit', values: [] };

/**
 * A transaction in as few round trips as it can be: BEGIN travels with the first statement, and what was deferred
 * travels with the statement behind it or with COMMIT. Where everything was deferred, all of it is one batch, which is
 * a transaction by itself.
 */
export class Transaction {
  readonly afterCommit: (() => void)[] = [];
  private hasBegun = false;
  private runner?: QueryRunner;

  /** @param waiting what is sent before anything else. */
  constructor(
    readonly orgId: string | null,
    private readonly client: ClientBase,
    private readonly dataSource: DataSource,
    private readonly waiting: Statement[],
  ) {}

  async rows(statement: Statement): Promise<Row[]> {
    return (await this.send([statement])).at(-1) ?? [];
  }

  /** Its error, if it has one, is that of the statement or COMMIT that it travels with. */
  defer(statement: Statement): void {
    this.waiting.push(statement);
  }

  async flush(): Promise<void> {
    if (!this.hasBegun || this.waiting.length > 0) await this.send([]);
  }

  /** TypeORM's manager on this transaction's connection; what was deferred goes before its statements. */
  get manager(): EntityManager {
    this.runner ??= this.runnerOnClient();
    return this.runner.manager;
  }

  async commit(): Promise<void> {
    if (!this.hasBegun) await runBatch(this.client, this.waiting);
    else if (this.waiting.length > 0) await this.send([commit]);
    else {
      // COMMIT of a transaction that failed answers ROLLBACK and no error: nothing may be acknowledged after that.
      const { command } = await this.client.query('commit');
      if (command !== 'COMMIT') throw new Error(`The transaction ended with ${command}`);
    }
  }

  /** Errors are left alone: a connection that is lost has rolled back, and the pool lets go of it. */
  async rollback(): Promise<void> {
    if (this.hasBegun) await this.client.query('rollback').catch(() => undefined);
  }

  private send(statements: readonly Statement[]): Promise<Row[][]> {
    const opening = this.hasBegun ? [] : [begin];
    this.hasBegun = true;
    return runBatch(this.client, [...opening, ...this.waiting.splice(0), ...statements]);
  }

  private runnerOnClient(): QueryRunner {
    const runner = this.dataSource.createQueryRunner();
    const query = runner.query.bind(runner);
    const inOrder = async (...parts: Parameters<typeof query>): Promise<unknown> => {
      await this.flush();
      return await query(...parts);
    };
    return Object.assign(runner, { databaseConnection: this.client, query: inOrder as typeof query });
  }
}
