import { Injectable } from '@nestjs/common';
import { type Claim, type ClaimedTable, ClaimedTables, type DueRow } from '#jobs';
import { idColumn, recordOf, type Row, TenantDatabase, uuidIn } from '#persistence';
import { SystemDatabase } from '#system-database';
import type { EventView } from '../../platform/events/event.dto.js';
import { eventColumns, readEvent } from '../../platform/events/events.repository.js';
import { builtInPermissions, joinMaker } from './maker-permissions.js';
import type { DeliveryAttempt, DeliveryStatus } from './webhook-delivery.dto.js';
import type { WebhookDelivery } from './webhook-delivery.entity.js';

/** The next delivery to an endpoint: the first one waiting of some subject. */
export interface NextDelivery {
  id: string;
  dueAt: string;
  attemptCount: number;
  event: EventView;
  url: string;
  secret: Buffer;
  previousSecret: Buffer | null;
  previousSecretUntil: string | null;
  failingSince: string | null;
  maker: Maker;
}

/** The current permissions of an endpoint's maker. */
interface Maker {
  /** Null for an endpoint without a maker, which is sent all events that it subscribes to. */
  permissions: ReadonlySet<string> | null;
  /** Whether the maker is limited to the event's property, or not limited at all. */
  seesPlace: boolean;
  /** Whether it subscribes to everything that the maker may read. */
  wantsAny: boolean;
}

export interface DeliveryResult extends Pick<WebhookDelivery, 'request' | 'response'> {
  status: DeliveryStatus;
  dueAt: string;
  attempt: DeliveryAttempt;
}

const deliveryIds = idColumn('delivery');

/** Longer than a turn and the last attempt in it can take. */
const endpointLeaseMs = 30_000;

/** Endpoints of all organizations with deliveries that wait, found one by one along the index. */
const waiting = `
  with recursive waiting as (
    (select org_id, endpoint_id from webhook_deliveries where status = 'pending'
      order by org_id, endpoint_id limit 1)
    union all
    select following.* from waiting w cross join lateral (
      select d.org_id, d.endpoint_id from webhook_deliveries d
       where d.status = 'pending' and (d.org_id, d.endpoint_id) > (w.org_id, w.endpoint_id)
       order by d.org_id, d.endpoint_id limit 1) following)`;
/** Those that nobody sends to, by whether the last delivery to them failed. */
const free = (failing: boolean): string => `
  waiting w join webhook_endpoints e on e.org_id = w.org_id and e.id = w.endpoint_id
    and e.status <> 'disabled' and (e.leased_until is null or e.leased_until <= $1)
    and e.failing_since is ${failing ? 'not null' : 'null'}`;
const ofEndpoint = `d.org_id = e.org_id and d.endpoint_id = e.id and d.status = 'pending'`;
const dueEndpoints = (failing: boolean): string => `
  ${waiting}
  select e.org_id, e.id from ${free(failing)}
   where exists (select 1 from webhook_deliveries d where ${ofEndpoint} and d.due_at <= $1)
   order by row_number() over (partition by e.org_id order by e.leased_until nulls first), e.leased_until nulls first
   limit $2`;
export const soonestDelivery = (failing: boolean): string => `(
  ${waiting}
  select min(d.due_at) from ${free(failing)}
   cross join lateral (select due_at from webhook_deliveries d where ${ofEndpoint} order by due_at limit 1) d)`;

/**
 * Finds due deliveries by the state of their rows only: commits happen in any order, so no sequence number can show
 * which are new.
 */
@Injectable()
export class DispatchRepository {
  /** Endpoints that a process has claimed, by whether the last delivery to them failed. */
  readonly claims: { sound: ClaimedTable; failing: ClaimedTable };

  constructor(
    private readonly system: SystemDatabase,
    private readonly tenant: TenantDatabase,
    tables: ClaimedTables,
  ) {
    const endpoints = (work: string, condition: string): ClaimedTable =>
      tables.of({
        work,
        table: 'webhook_endpoints',
        prefix: 'endpoint',
        until: 'leased_until',
        fence: 'lease',
        where: `status <> 'disabled' and ${condition}`,
        leaseMs: endpointLeaseMs,
      });
    this.claims = {
      sound: endpoints('deliveries', 'failing_since is null'),
      failing: endpoints('failing-deliveries', 'failing_since is not null'),
    };
  }

  /**
   * Endpoints of all organizations, in turn, that have something due and that nobody sends to. Within an organization,
   * those that have waited longest come first. The endpoints are found one by one along the index, so the number of
   * deliveries of each does not matter.
   *
   * @param failing whether to select those whose last delivery failed, or the others.
   */
  async due(now: string, failing: boolean, limit: number): Promise<DueRow[]> {
    const rows = await this.system.rows(dueEndpoints(failing), [now, limit]);
    return rows.map(recordOf('endpoint'));
  }

  /** Deliveries that were waiting may go to an endpoint, once the current transaction, if there is one, has committed. */
  becomesDue(): void {
    for (const table of [this.claims.sound, this.claims.failing]) table.becomesDue(new Date().toISOString());
  }

  /** Undefined if nothing is due, the endpoint is disabled, or another process has claimed it. */
  async next({ orgId, id, fence }: Claim, now: string): Promise<NextDelivery | undefined> {
    const [row] = await this.tenant.rows(
      orgId,
      `select d.id as delivery_id, d.due_at, d.attempt_count, w.url, w.secret, w.previous_secret, w.previous_secret_until,
              w.failing_since, ${eventColumns}, maker.permitted, '*' = any(w.event_types) as wants_any,
              (maker.member_properties is null or e.property_id = any(maker.member_properties))
                and (maker.key_properties is null or e.property_id = any(maker.key_properties)) as sees_place
         from (select subject_id from webhook_deliveries
                where org_id = $1 and endpoint_id = $2 and status = 'pending' and due_at <= $4
                order by due_at, id limit 1) due
         join lateral (select * from webhook_deliveries
                where org_id = $1 and endpoint_id = $2 and status = 'pending' and subject_id = due.subject_id
                order by sequence, id limit 1) d on true
         join webhook_endpoints w on w.org_id = $1 and w.id = $2 and w.lease = $3 and w.status <> 'disabled'
         join events e on e.org_id = $1 and e.id = d.event_id
         ${joinMaker('$4::timestamptz', '$5')}`,
      [uuidIn(orgId), uuidIn(id), fence, now, builtInPermissions],
    );
    return row && readNext(row);
  }

  /** Deliveries that wait behind a retried one of the same subject wait as long. */
  async park({ orgId, id }: Claim, { event, dueAt }: NextDelivery): Promise<void> {
    await this.tenant.rows(
      orgId,
      `update webhook_deliveries set due_at = $4
        where org_id = $1 and endpoint_id = $2 and subject_id = $3 and status = 'pending' and due_at < $4`,
      [uuidIn(orgId), uuidIn(id), event.subject.id, dueAt],
    );
  }

  /** A delivery that is not sent stays visible, unless the endpoint subscribed to everything. */
  async withhold({ orgId }: Claim, { id, attemptCount, maker }: NextDelivery, now: string): Promise<void> {
    const values = [uuidIn(orgId), uuidIn(id), attemptCount];
    const one = `where org_id = $1 and id = $2 and status = 'pending' and attempt_count = $3`;
    if (maker.wantsAny) await this.tenant.rows(orgId, `delete from webhook_deliveries ${one}`, values);
    else
      await this.tenant.rows(orgId, `update webhook_deliveries set status = 'withheld', finished_at = $4 ${one}`, [
        ...values,
        now,
      ]);
  }

  /** @returns false if another process has already recorded this attempt, because our claim expired. */
  async finish({ orgId }: Claim, { id, attemptCount }: NextDelivery, result: DeliveryResult): Promise<boolean> {
    const { status, dueAt, attempt, request, response } = result;
    const rows = await this.tenant.rows(
      orgId,
      `update webhook_deliveries
          set status = $4, due_at = $5, attempts = attempts || $6::jsonb, attempt_count = attempt_count + 1,
              request = $7, response = $8, finished_at = $9
        where org_id = $1 and id = $2 and status = 'pending' and attempt_count = $3 returning id`,
      [
        uuidIn(orgId),
        uuidIn(id),
        attemptCount,
        status,
        dueAt,
        JSON.stringify([attempt]),
        JSON.stringify(request),
        response && JSON.stringify(response),
        status === 'pending' ? null : attempt.at,
      ],
    );
    return rows.length > 0;
  }

  /** The delivery status is not a change of the record, so it creates no version and no event. */
  async noteFailingSince({ orgId, id }: Claim, failingSince: string | null): Promise<void> {
    await this.tenant.rows(orgId, 'update webhook_endpoints set failing_since = $3 where org_id = $1 and id = $2', [
      uuidIn(orgId),
      uuidIn(id),
      failingSince,
    ]);
  }
}

const readNext = (row: Row): NextDelivery => ({
  id: deliveryIds.from(row.delivery_id) as string,
  dueAt: row.due_at as string,
  attemptCount: row.attempt_count as number,
  event: readEvent(row),
  url: row.url as string,
  secret: row.secret as Buffer,
  previousSecret: row.previous_secret as Buffer | null,
  previousSecretUntil: row.previous_secret_until as string | null,
  failingSince: row.failing_since as string | null,
  maker: {
    permissions: row.permitted ? new Set(row.permitted as string[]) : null,
    seesPlace: row.sees_place as boolean,
    wantsAny: row.wants_any as boolean,
  },
});
