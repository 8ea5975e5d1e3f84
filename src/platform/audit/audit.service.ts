import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable } from '@nestjs/common';
import { newId, TenantDatabase, uuidIn } from '#persistence';
import { SystemDatabase } from '#system-database';
import { mapInTurns } from '#turns';
import type { Act, AuditChange, SecurityEvent } from './act.js';
import { contentOf } from './audit-chain.js';
import type { AuditEntryView } from './audit-entry.dto.js';
import { insertion, insertionOfAll, listsOf, valuesOf } from './audit-insertion.js';
import { AuditSignatures } from './audit-signatures.js';

/** Writes what happened beside what changed, in the same transaction; entries are only ever added. */
@Injectable()
export class AuditService {
  private readonly current = new AsyncLocalStorage<Act>();

  constructor(
    private readonly tenant: TenantDatabase,
    private readonly system: SystemDatabase,
    private readonly signatures: AuditSignatures,
  ) {}

  /** Everything that is recorded during `work` is recorded as this act, or as part of the undo that is in progress. */
  during<T>(act: Act, work: () => Promise<T>): Promise<T> {
    return this.current.getStore()?.undoes ? work() : this.current.run(act, work);
  }

  /** Everything that is recorded during `work` is part of the current act, and undoes these entries. */
  undoing<T>(undoes: NonNullable<Act['undoes']>, work: () => Promise<T>): Promise<T> {
    const act = this.current.getStore();
    if (!act) throw new Error('An undo needs an operation');
    return this.current.run({ ...act, undoes }, work);
  }

  /**
   * In the current transaction of either kind, or else in a new one.
   *
   * @param act if no act is in progress.
   */
  async record(orgId: string, change: AuditChange, act?: Act): Promise<void> {
    const entry = this.entryOf(change, act);
    if (!entry) throw new Error('An audit entry needs an operation or an action');
    const values = this.valuesOf(orgId, entry);
    if (this.system.inTransaction) await this.system.rows(insertion, values);
    else await this.tenant.transaction(orgId, () => Promise.resolve(this.tenant.defer(orgId, insertion, values)));
  }

  /**
   * The entry of a change, for `insertAtCommit`.
   *
   * @param act if no act is in progress. Without an act the service acts automatically, for example for calendars and
   *   devices: events report that, and the trail records only what somebody did.
   */
  entryOf(change: AuditChange, act?: Act): AuditEntryView | undefined {
    const doing = this.current.getStore() ?? act;
    return doing && entryOf(doing, change);
  }

  /** In the current transaction of the organization, by one statement; costs no round trip. */
  async insertAtCommit(orgId: string, entries: readonly AuditEntryView[]): Promise<void> {
    const rows = await mapInTurns(entries, (entry) => this.valuesOf(orgId, entry));
    const [first, ...others] = rows;
    if (!first) return;
    if (others.length === 0) this.tenant.defer(orgId, insertion, first);
    else this.tenant.defer(orgId, insertionOfAll, listsOf(rows));
  }

  /** The act in progress, for what is left to do for it in the background. */
  get act(): Act | undefined {
    return this.current.getStore();
  }

  /** What happened before or above any organization. */
  async recordAbove({ actor, action, target, details, requestId, logId }: SecurityEvent): Promise<void> {
    await this.system.rows(
      `insert into security_events (id, actor, action, target, details, request_id, created_at, log_id)
       values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [
        uuidIn(newId('event')),
        JSON.stringify(actor),
        action,
        JSON.stringify(target),
        details && JSON.stringify(details),
        requestId,
        new Date().toISOString(),
        logId && uuidIn(logId),
      ],
    );
  }

  private valuesOf(orgId: string, entry: AuditEntryView): unknown[] {
    return valuesOf(orgId, entry, this.signatures.sign(orgId, contentOf(entry)));
  }
}

const entryOf = (act: Act, { target, propertyId, before, after }: AuditChange): AuditEntryView => ({
  id: newId('audit'),
  actor: act.actor,
  credential: act.credential ?? null,
  onBehalfOf: act.onBehalfOf ?? null,
  action: act.action,
  target,
  propertyId: propertyId ?? null,
  before: before ?? null,
  after: after ?? null,
  requestId: act.requestId ?? null,
  ...(act.logId && { logId: act.logId }),
  ...(act.undoes?.[target.id] && { undoes: act.undoes[target.id] }),
  ...(act.approvalId && { approvalId: act.approvalId }),
  createdAt: new Date().toISOString(),
  seal: null,
});
