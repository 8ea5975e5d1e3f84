import { withTimeout } from '#with-timeout';
import { type Row, runBatch, type Statement } from './batch.js';
import type { Connected } from './connected.js';
import { guarded, isBroken } from './failures.js';
import { FairPool } from './fair-pool.js';
import { uuidIn } from './ids.js';
import { organizationSetting, organizationWork, plannedOnce, setAll } from './settings.js';
import { Transaction } from './transaction.js';

/** A read outside of a transaction. */
export interface LoneRead {
  /** A server that does not respond in this time counts as unreachable. */
  withinMs?: number | undefined;
  /** Settings for this read. */
  before?: readonly Statement[];
}

/** The connections of one role, which organizations use in turn. */
export class Connections {
  private readonly lent: FairPool;

  /** @param mostOfOne how many connections one organization may have at a time. */
  constructor(
    private readonly connected: Connected,
    mostOfOne: number,
  ) {
    this.lent = new FairPool(connected.pool, mostOfOne);
  }

  /** How many are idle and in use, and how many requests wait for one. */
  get counts(): { idle: number; inUse: number; waiting: number } {
    const { idleCount: idle, totalCount } = this.connected.pool;
    return { idle, inUse: totalCount - idle, waiting: this.lent.waiting };
  }

  usedBy(orgId: string): number {
    return this.lent.inUseBy(orgId);
  }

  /** A read that is a transaction of its own, in one round trip. */
  async read(orgId: string | null, read: Statement, { withinMs, before = [] }: LoneRead): Promise<Row[]> {
    return await guarded(async () => {
      const startedAt = performance.now();
      const client = await this.lent.connect(orgId ?? undefined);
      try {
        const batch = runBatch(client, [...this.settingsFor(orgId, false), ...before, read]);
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

  /**
   * Runs `work` with a new transaction, which it ends.
   *
   * @param before settings of the transaction.
   * @throws service_unavailable (503) if the database is unreachable or no connection is free within 0.8 s.
   */
  async during<T>(
    { orgId, before = [], isRehearsal }: { orgId: string | null; before?: readonly Statement[]; isRehearsal?: boolean },
    work: (transaction: Transaction) => Promise<T>,
  ): Promise<T> {
    return await guarded(async () => {
      const client = await this.lent.connect(orgId ?? undefined);
      try {
        return await work(new Transaction(orgId, client, [...this.settingsFor(orgId, true), ...before], isRehearsal));
      } finally {
        client.release();
      }
    });
  }

  /** What each transaction begins with. */
  private settingsFor(orgId: string | null, isWork: boolean): Statement[] {
    const { settings } = this.connected;
    if (!settings) return isWork ? organizationWork(orgId) : organizationSetting(orgId);
    const ofOrganization = orgId !== null && { 'app.org_id': uuidIn(orgId), ...(isWork && plannedOnce) };
    const all = { ...settings, ...ofOrganization };
    return [{ text: setAll, values: [Object.keys(all), Object.values(all)] }];
  }
}
