import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { newId, TenantDatabase, uuidIn } from '#persistence';
import { SystemDatabase } from '#system-database';
import type { ActorCredential } from '../../events/event.dto.js';
import { contentOf } from './audit-chain.js';
import type { AuditActor, AuditEntryView } from '../../events/audit/audit-entry.dto.js';
import { AuditSignatures } from './audit-signatures.js';

/** What is done, by whom and through what. */
export interface Act {
  /** The operation's name. */
  action: string;
  actor: AuditActor;
  credential?: ActorCredential | null;
  /** The person that an application acts for. */
  onBehalfOf?: string | null;
  requestId?: string | null;
  /** The service's own id of the request. */
  logId?: string;
}

/** Which request something was done by. */
export type Trace = Pick<Act, 'requestId' | 'logId'>;

export const traceOf = (request: { requestId: string; logId: string } | undefined): Trace =>
  request ? { requestId: request.requestId, logId: request.logId } : {};

/** What became of one record by it: nothing that tells who a guest is, and no secret. */
export interface AuditChange {
  target: { type: string; id: string };
  propertyId?: string | null;
  before?: object | null;
  after?: object | null;
}

/** What happened above the organizations, with no more than a sentence's worth of details. */
export interface SecurityEvent extends Pick<Act, 'action' | 'actor' | 'requestId' | 'logId'> {
  target: AuditChange['target'];
  details?: object;
}

/** Writes what happened beside what changed, in the same transaction; entries are only ever added. */
@Injectable()
export class AuditService {
  private readonly underWay = new AsyncLocalStorage<Act>();

  constructor(
    private readonly tenant: TenantDatabase,
    private readonly system: SystemDatabase,
    private readonly signatures: AuditSignatures,
  ) {}

  /** Whatever is recorded meanwhile is recorded as this act. */
  during<T>(act: Act, work: () => Promise<T>): Promise<T> {
    return this.underWay.run(act, work);
  }

  /** In the current transaction, of whichever kind, or else in one of its own. @param act where none is under way. */
  async record(orgId: string, change: AuditChange, act?: Act): Promise<void> {
    const values = this.valuesOf(orgId, change, act);
    if (!values) throw new Error('Say what is done: no operation is under way');
    if (this.system.inTransaction) await this.system.rows(insertion, values);
    else await this.tenant.transaction(orgId, () => Promise.resolve(this.tenant.defer(orgId, insertion, values)));
  }

  /**
   * In the current transaction of the organization; costs no round trip.
   *
   * @param act where none is under way; without it the service acts by itself, as calendars and devices have it do all
   *   day: events tell of that, and the trail is kept for what somebody did.
   */
  recordAtCommit(orgId: string, change: AuditChange, act?: Act): void {
    const values = this.valuesOf(orgId, change, act);
    if (values) this.tenant.defer(orgId, insertion, values);
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

  private valuesOf(orgId: string, change: AuditChange, given?: Act): unknown[] | undefined {
    const act = this.underWay.getStore() ?? given;
    if (!act) return undefined;
    const entry = entryOf(act, change);
    const { actor, credential, target, propertyId, before, after } = entry;
    return [
      uuidIn(orgId),
      uuidIn(entry.id),
      actor.type,
      actor.id,
      credential && JSON.stringify(credential),
      entry.onBehalfOf,
      entry.action,
      target.type,
      target.id,
      propertyId && uuidIn(propertyId),
      before && JSON.stringify(before),
      after && JSON.stringify(after),
      entry.requestId,
      entry.createdAt,
      this.signatures.sign(orgId, contentOf(entry)),
      entry.logId && uuidIn(entry.logId),
    ];
  }
}

/** What a member does through a credential. */
export const actOf = (action: string, { memberId, userId, credential, requestId, logId }: Caller): Act => ({
  action,
  actor: { type: 'member', id: memberId },
  credential: credentialOf(credential),
  onBehalfOf: userId,
  requestId,
  ...(logId && { logId }),
});

export const credentialOf = ({ kind, id, clientId, runId }: Caller['credential']): ActorCredential => ({
  kind,
  id,
  ...(clientId && { clientId }),
  ...(runId && { runId }),
});

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
  createdAt: new Date().toISOString(),
  seal: null,
});

const insertion = `
  insert into audit_entries
    (org_id, id, actor_type, actor_id, credential, on_behalf_of, action, target_type, target_id, property_id, before, after,
     request_id, created_at, signature, log_id)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`;
