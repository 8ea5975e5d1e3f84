import type { Row } from './batch.js';
import { Database } from './database.js';
import { onePlan } from './settings.js';
import { type Settled, settledChanges } from './settled.js';

/** The organizations' data, one organization at a time, under row security. */
export class TenantDatabase extends Database {
  /**
   * @param customPlan for a statement whose best plan depends on its values, such as one about a span of time: it is
   *   planned each time it runs, while the plan of any other is kept with the connection.
   */
  rows(orgId: string, text: string, values: unknown[], customPlan = false): Promise<Row[]> {
    return this.readRows(orgId, customPlan ? { text, values } : this.statement(text, values));
  }

  /**
   * For a statement that takes longer to plan than to run, and has the same best plan whatever its values are: it is planned
   * once for each connection.
   */
  rowsByOnePlan(orgId: string, text: string, values: unknown[]): Promise<Row[]> {
    return this.readRows(orgId, this.statement(text, values), { before: [onePlan] });
  }

  transaction<T>(orgId: string, work: () => Promise<T>): Promise<T> {
    return this.run(orgId, work);
  }

  /** Which changes a list by time of change shows; its own statement must follow. */
  settled(orgId: string): Promise<Settled> {
    return settledChanges(async () => {
      const [now, ofThisProcess] = [performance.now(), this.openWork.oldest];
      const [row] = await this.rows(orgId, 'select oldest_transaction_ms() as ms', []);
      return Math.min(ofThisProcess, row?.ms === null ? Number.POSITIVE_INFINITY : now - (row?.ms as number));
    });
  }

  /**
   * Runs `work` as a transaction would, with `isRehearsing`, and undoes it.
   *
   * @param withinMs how long it may hold its locks.
   */
  rehearse<T>(orgId: string, withinMs: number, work: () => Promise<T>): Promise<T> {
    return this.undone(orgId, withinMs, work);
  }

  /**
   * A write whose outcome nothing in the transaction waits for. It saves a round trip by travelling with the next
   * statement or with COMMIT, in order. Its errors are thrown there, so use it for rows that violate no constraint.
   *
   * @param heard called with its rows, before `afterCommit`.
   */
  defer(orgId: string, text: string, values: unknown[], heard?: (rows: Row[]) => void): void {
    this.deferWrite(orgId, text, values, heard);
  }
}
