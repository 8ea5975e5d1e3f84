import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import type { Page } from '#operations';
import { Cursors, Table, TenantDatabase, uuidIn } from '#persistence';
import { eventColumns, readEvent } from '../../platform/events/events.repository.js';
import { type EventReader, everything, mayReadEvent } from '../../platform/events/readable-events.js';
import { deliveryBody } from './signature.js';
import type { ListWebhookDeliveries, ReplayWebhookDeliveries, WebhookDeliveryView } from './webhook-delivery.dto.js';
import { WebhookDelivery } from './webhook-delivery.entity.js';
import type { WebhookEndpoint } from './webhook-endpoint.entity.js';
import { endpointTested } from './webhooks.events.js';

/** The log of deliveries, and the replays. */
@Injectable()
export class WebhookDeliveriesRepository {
  private readonly table: Table<WebhookDelivery>;

  constructor(
    private readonly database: TenantDatabase,
    cursors: Cursors,
  ) {
    this.table = new Table(database, WebhookDelivery, cursors);
  }

  async list(caller: Caller, filters: ListWebhookDeliveries): Promise<Page<WebhookDeliveryView>> {
    const { orgId, propertyIds } = caller;
    const { endpointId, eventId, status, from, to, limit, cursor, sort } = filters;
    const where = this.table
      .where(orgId)
      .when(endpointId && uuidIn(endpointId), 'endpoint_id = ?')
      .when(eventId && uuidIn(eventId), 'event_id = ?')
      .when(status, 'status = ?')
      .when(from, 'created_at >= ?::timestamptz')
      .when(to, 'created_at < ?::timestamptz')
      .when(
        propertyIds?.map(uuidIn),
        `endpoint_id in (select w.id from webhook_endpoints w
          where w.org_id = webhook_deliveries.org_id and w.property_ids <@ ?::uuid[])`,
      );
    // Before it was limited, the endpoint may have been sent more. A test is about the endpoint and has no property.
    if (propertyIds)
      where.and(
        `exists (select 1 from events e where e.org_id = webhook_deliveries.org_id
          and e.id = webhook_deliveries.event_id and (e.type = ? or e.property_id = any(?::uuid[])))`,
        endpointTested.name,
        propertyIds.map(uuidIn),
      );
    const { items, ...page } = await this.table.page(orgId, where, { limit, cursor, sort });
    return { ...page, items: await this.shown(orgId, items, caller) };
  }

  /** Sends an event that the endpoint did not subscribe to. */
  async addTest({ orgId, id }: WebhookEndpoint, eventId: string): Promise<WebhookDeliveryView> {
    const [row] = await this.database.rows(orgId, `${sending} where w.id = $2 and e.id = $4 returning id`, [
      uuidIn(orgId),
      uuidIn(id),
      new Date().toISOString(),
      uuidIn(eventId),
    ]);
    const found = await this.table.find(orgId, this.table.where(orgId).and('id = ?', row?.id));
    return (await this.shown(orgId, found))[0] as WebhookDeliveryView;
  }

  /** Whether the endpoint subscribed to events like this one. */
  async isWanted({ orgId, id }: WebhookEndpoint, eventId: string): Promise<boolean> {
    const rows = await this.database.rows(
      orgId,
      `select 1 from webhook_endpoints w join events e on e.org_id = w.org_id
        where w.org_id = $1 and w.id = $2 and e.id = $3 and ${wanted}`,
      [uuidIn(orgId), uuidIn(id), uuidIn(eventId)],
    );
    return rows.length > 0;
  }

  /** Makes the next attempt of a delivery due that waits for it; one that is being made is due already. */
  async hasten({ orgId, id }: WebhookEndpoint, eventId: string): Promise<void> {
    await this.database.rows(
      orgId,
      `update webhook_deliveries set due_at = $4
        where org_id = $1 and endpoint_id = $2 and event_id = $3 and status = 'pending' and due_at > $4`,
      [uuidIn(orgId), uuidIn(id), uuidIn(eventId), new Date().toISOString()],
    );
  }

  /**
   * Sends the events that the endpoint subscribed to and that are not already waiting for it. An endpoint for every
   * type is given those that its maker may read, as it was at the time of the events, because the maker must not learn
   * how many others there are.
   *
   * @param wish with the types that the maker may read; undefined for all.
   * @returns the number sent, at most `limit`.
   */
  async replay(
    endpoint: WebhookEndpoint,
    wish: ReplayWebhookDeliveries & { readable?: string[] },
    limit: number,
  ): Promise<number> {
    const rows = await this.database.rows(
      endpoint.orgId,
      `${sending}
        where w.id = $2 and ${wanted}
          and ($4::uuid is null or e.id = $4) and ($5::timestamptz is null or e.occurred_at >= $5)
          and ($6::timestamptz is null or e.occurred_at < $6) and ($7::text[] is null or e.type = any($7))
          and ($8::text[] is null or not '*' = any(w.event_types) or e.type = any($8))
          and not exists (select 1 from webhook_deliveries d
            where d.org_id = e.org_id and d.event_id = e.id and d.endpoint_id = w.id and d.status = 'pending')
        order by e.transaction_id, e.position limit ${limit} returning id`,
      [
        uuidIn(endpoint.orgId),
        uuidIn(endpoint.id),
        new Date().toISOString(),
        wish.eventId ? uuidIn(wish.eventId) : null,
        wish.from ?? null,
        wish.to ?? null,
        wish.eventTypes ?? null,
        wish.readable ?? null,
      ],
    );
    return rows.length;
  }

  /**
   * Rebuilds the body that was sent from its event, for callers who may read the event. A receiver may also send it
   * back.
   *
   * @param reader undefined if the caller may read the events.
   */
  private async shown(
    orgId: string,
    deliveries: WebhookDelivery[],
    { permissions }: Pick<EventReader, 'permissions'> = everything(orgId),
  ): Promise<WebhookDeliveryView[]> {
    const rows = await this.database.rows(
      orgId,
      `select ${eventColumns} from events e where e.org_id = $1 and e.id = any($2)`,
      [uuidIn(orgId), deliveries.map(({ eventId }) => uuidIn(eventId))],
    );
    const events = rows.map(readEvent).filter((event) => !permissions || mayReadEvent(event, permissions));
    const bodies = new Map(events.map((event) => [event.id, deliveryBody(event)]));
    return deliveries.map(({ request, response, ...delivery }) => {
      const body = bodies.get(delivery.eventId);
      return {
        ...delivery,
        nextAttemptAt: delivery.status === 'pending' ? delivery.dueAt : null,
        request: request && { ...request, body: body ?? '' },
        response: response && { ...response, body: body === undefined ? '' : response.body },
      };
    });
  }
}

const wanted = `w.event_types && array[e.type, '*'] and (w.property_ids is null or e.property_id = any(w.property_ids))`;

const sending = `
  insert into webhook_deliveries (org_id, endpoint_id, event_id, event_type, subject_id, sequence, due_at, created_at)
  select e.org_id, w.id, e.id, e.type, e.subject_id, e.sequence, $3::timestamptz, $3::timestamptz
    from webhook_endpoints w join events e on e.org_id = w.org_id and w.org_id = $1`;
