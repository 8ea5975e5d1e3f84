import { Injectable } from '@nestjs/common';
import { type Claim, type ClaimedTable, ClaimedTables, type DueRow } from '#jobs';
import { idColumn, recordOf, type Row, TenantDatabase, uuidIn } from '#persistence';
import { SystemDatabase } from '#system-database';
import type { EventView } from '../../platform/events/event.dto.js';
import { eventWork } from '../../platform/events/event-work.js';
import { readEvent } from '../../platform/events/events.repository.js';
import { dueEndpoints, finishing, nextOfSubjects } from './dispatch-statements.js';
import { builtInPermissions } from './maker-permissions.js';
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

/** An attempt and its outcome. */
export interface Finished {
  delivery: NextDelivery;
  result: DeliveryResult;
}

const deliveryIds = idColumn('delivery');

/** Longer than a turn and the last attempt in it can take. */
const endpointLeaseMs = 30_000;

const rowOf = ({ delivery, result: { status, dueAt, attempt, request, response } }: Finished): object => ({
  id: uuidIn(delivery.id),
  attempt_count: delivery.attemptCount,
  status,
  due_at: dueAt,
  attempt: [attempt],
  request,
  response,
  finished_at: status === 'pending' ? null : attempt.at,
});

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
      sound: endpoints(eventWork.deliveries, 'failing_since is null'),
      failing: endpoints(eventWork.failingDeliveries, 'failing_since is not null'),
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

  /**
   * The next delivery of each of some subjects that are due. None if the endpoint is disabled, or another process has
   * claimed it.
   *
   * @param busy subjects with a delivery in flight.
   */
  async next({ orgId, id, fence }: Claim, now: string, most: number, busy: readonly string[]): Promise<NextDelivery[]> {
    const rows = await this.tenant.rows(orgId, nextOfSubjects, [
      uuidIn(orgId),
      uuidIn(id),
      fence,
      now,
      builtInPermissions,
      busy,
      most,
    ]);
    return rows.map(readNext);
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

  /** @returns of each, false if another process has already recorded this attempt, because our claim expired. */
  async finish({ orgId }: Claim, finished: readonly Finished[]): Promise<boolean[]> {
    const rows = await this.tenant.rows(orgId, finishing, [uuidIn(orgId), JSON.stringify(finished.map(rowOf))]);
    const recorded = new Set(rows.map(({ id }) => deliveryIds.from(id) as string));
    return finished.map(({ delivery }) => recorded.has(delivery.id));
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
