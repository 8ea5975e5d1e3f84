import { Injectable } from '@nestjs/common';
import type { Caller, RequestCaller } from '#access';
import { idColumn, type Row, TenantDatabase, uuidIn, Where } from '#persistence';
import { type KeptStep, undoKeptMs, UndoSteps } from '../events/undo-steps.repository.js';
import { firstIdAt } from '../requests/logged-request.js';
import { mostWithFollowing } from './undo.dto.js';

const ids = {
  audit: idColumn('audit'),
  property: idColumn('property'),
  request: idColumn('request'),
  endpoint: idColumn('endpoint'),
};
/** Longer than any request takes: its entries have later ids than its log id. */
const requestLastsMs = 10 * 60_000;
/** The time in a UUIDv7 takes its first twelve digits. */
const timeOf = (logId: string): number => parseInt(uuidIn(logId).slice(0, 12), 16);

/**
 * Leaves out changes that followed later, in their own transactions: the stays of a property whose times changed, which
 * follow the undo of that change in the same way.
 */
const isNoBackgroundOf = (request: 'log_id' | 'request_id'): string => `(s.follows is not true or e.transaction_id in (
  select o.transaction_id from audit_entries o join undo_steps f on f.org_id = $1 and f.entry_id = o.id
   where o.org_id = $1 and o.${request} = ? and not f.follows))`;

/** A change of the trail, with how it is undone. */
export interface RecordedChange {
  readonly entryId: string;
  readonly target: { readonly type: string; readonly id: string };
  readonly propertyId: string | null;
  readonly action: string;
  readonly requestId: string | null;
  readonly logId: string | null;
  /** The entry that it undoes. */
  readonly undoes: string | null;
  readonly isUndone: boolean;
  /** A secret was shown: nothing changed. */
  readonly isReveal: boolean;
  /** How it is undone, as long as that is kept. */
  readonly kept?: {
    readonly eventId: string;
    readonly type: string;
    readonly follows: boolean;
    readonly reason: string | null;
    readonly step?: KeptStep;
  };
}

@Injectable()
export class UndoRepository {
  constructor(
    private readonly database: TenantDatabase,
    private readonly steps: UndoSteps,
  ) {}

  byIds(caller: Caller, entryIds: readonly string[]): Promise<RecordedChange[]> {
    return this.read(caller, this.visible(caller).and('e.id = any(?::uuid[])', entryIds.map(uuidIn)));
  }

  /** What a request of the caller changed. */
  byLogId(caller: RequestCaller, logId: string): Promise<RecordedChange[]> {
    const where = this.own(caller)
      .and('e.id > ?::uuid', uuidIn(logId))
      .and('e.id < ?::uuid', firstIdAt(timeOf(logId) + requestLastsMs))
      .and('e.log_id = ?::uuid', uuidIn(logId))
      .and(isNoBackgroundOf('log_id'), uuidIn(logId));
    return this.read(caller, where);
  }

  byRequestId(caller: RequestCaller, requestId: string): Promise<RecordedChange[]> {
    const where = this.own(caller).and('e.request_id = ?', requestId).and(isNoBackgroundOf('request_id'), requestId);
    return this.read(caller, where);
  }

  byApplication(caller: Caller, applicationId: string, since: string): Promise<RecordedChange[]> {
    const where = this.visible(caller)
      .and('e.id >= ?::uuid', firstIdAt(Date.parse(since)))
      .and('e.created_at >= ?::timestamptz', since)
      .and(`e.credential->>'clientId' = ?`, applicationId);
    return this.read(caller, where);
  }

  /**
   * Who changed a record last, after a change of it, when, and which of these fields: as far as the trail names them, which
   * leaves out what identifies guests, and what clients do not see, and as far as the caller sees the property. What else the request of the change did to the record does not count: it followed from it.
   */
  async changedSince(
    { orgId, logId, propertyIds }: Caller,
    { entryId, target, logId: itsOwn }: RecordedChange,
    names: readonly string[],
  ): Promise<{ actorId: string | null; at: string; fields: string[] } | undefined> {
    const [row] = await this.database.rows(
      orgId,
      `select actor_id, created_at, array(select name from unnest($5::text[]) name where after::jsonb ? name) as fields from audit_entries
        where org_id = $1 and target_id = $2 and id > $3 and log_id is distinct from $4 and (log_id is distinct from $6 or $6 is null)
          and ($7::uuid[] is null or property_id = any($7))
        order by coalesce(after::jsonb ?| $5::text[], false) desc, id desc limit 1`,
      [
        uuidIn(orgId),
        target.id,
        uuidIn(entryId),
        logId ? uuidIn(logId) : null,
        names,
        itsOwn && uuidIn(itsOwn),
        propertyIds?.map(uuidIn) ?? null,
      ],
    );
    if (!row) return undefined;
    const { actor_id: actorId, created_at: at, fields } = row;
    return { actorId: actorId as string | null, at: at as string, fields: fields as string[] };
  }

  /** The endpoints that these events were delivered to, with how many. */
  async delivered(orgId: string, eventIds: readonly string[]): Promise<{ endpointId: string; count: number }[]> {
    if (eventIds.length === 0) return [];
    const rows = await this.database.rows(
      orgId,
      `select endpoint_id, count(*)::int as count from webhook_deliveries
        where org_id = $1 and event_id = any($2::uuid[]) and status = 'succeeded' group by endpoint_id order by endpoint_id`,
      [uuidIn(orgId), eventIds.map(uuidIn)],
    );
    return rows.map((row) => ({
      endpointId: ids.endpoint.from(row.endpoint_id) as string,
      count: row.count as number,
    }));
  }

  /** A credential that is limited to some properties sees only entries of those. */
  private visible({ orgId, propertyIds }: Caller): Where {
    return new Where()
      .and('e.org_id = ?', uuidIn(orgId))
      .when(propertyIds?.map(uuidIn), 'e.property_id = any(?::uuid[])');
  }

  /**
   * Of the same key, or of the same application for the same person. A person at the console chooses in the audit trail,
   * which names the requests of everybody.
   */
  private own(caller: RequestCaller): Where {
    const { credential, memberId, userId } = caller;
    if (credential.kind === 'session') return this.visible(caller);
    const where = this.visible(caller).and('e.actor_id = ?', memberId);
    return credential.kind === 'oauth'
      ? where.and(`e.credential->>'clientId' = ?`, credential.clientId).and('e.on_behalf_of = ?', userId)
      : where.and(`e.credential->>'id' = ?`, credential.id);
  }

  /** Newest first; one more than can be undone. */
  private async read({ orgId }: Caller, where: Where): Promise<RecordedChange[]> {
    const rows = await this.database.rows(
      orgId,
      `select e.id, e.target_type, e.target_id, e.property_id, e.action, e.request_id, e.log_id, e.undoes,
              e.before is null and e.after is null as is_reveal,
              s.event_id, s.event_type, s.follows, s.reason, s.sealed,
              exists (select 1 from audit_entries u where u.org_id = e.org_id and u.undoes = e.id
                and not exists (select 1 from audit_entries r where r.org_id = u.org_id and r.undoes = u.id)) as is_undone
         from audit_entries e left join undo_steps s
           on s.org_id = e.org_id and s.entry_id = e.id and s.created_at > $${where.values.length + 1}::timestamptz
        ${where.text} order by e.id desc limit ${mostWithFollowing + 1}`,
      [...where.values, new Date(Date.now() - undoKeptMs).toISOString()],
      true,
    );
    return rows.map((row) => this.changeIn(row));
  }

  private changeIn(row: Row): RecordedChange {
    const entryId = ids.audit.from(row.id) as string;
    return {
      entryId,
      target: { type: row.target_type as string, id: row.target_id as string },
      propertyId: ids.property.from(row.property_id) as string | null,
      action: row.action as string,
      requestId: row.request_id as string | null,
      logId: ids.request.from(row.log_id) as string | null,
      undoes: ids.audit.from(row.undoes) as string | null,
      isUndone: row.is_undone as boolean,
      isReveal: row.is_reveal as boolean,
      ...(row.event_type !== null && {
        kept: {
          eventId: row.event_id as string,
          type: row.event_type as string,
          follows: row.follows as boolean,
          reason: row.reason as string | null,
          ...(row.sealed !== null && { step: this.steps.open(entryId, row.sealed as Buffer) }),
        },
      }),
    };
  }
}
