import type { Row } from './batch.js';
import { Database } from './database.js';

/** Statements without an organization: credentials, accounts, consent, sweeps, operators' commands. */
export class SystemDatabase extends Database {
  rows(text: string, values: unknown[] = [], withinMs?: number): Promise<Row[]> {
    return this.readRows(null, this.statement(text, values), { withinMs });
  }

  transaction<T>(work: () => Promise<T>): Promise<T> {
    return this.run(null, work);
  }

  /** Runs `work` on one node at a time; other nodes that use the same name wait. */
  async exclusive<T>(name: string, work: () => Promise<T>): Promise<T> {
    return await this.transaction(async () => {
      await this.rows('select pg_advisory_xact_lock(hashtextextended($1, 0))', [name]);
      return await work();
    });
  }
}
