import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import type { Page } from '#operations';
import { AuditService } from '../../platform/audit/audit.service.js';
import { EventsRepository } from '../../platform/events/events.repository.js';
import { refuseUnknownTypes } from '../../platform/events/event-type.js';
import { readableEvents } from '../../platform/events/readable-events.js';
import { DispatchRepository } from './dispatch.repository.js';
import { EndpointPermissionsRepository } from './endpoint-permissions.repository.js';
import { WebhookDeliveriesRepository } from './webhook-deliveries.repository.js';
import type {
  ListWebhookDeliveries,
  ReplayView,
  ReplayWebhookDeliveries,
  WebhookDeliveryView,
} from './webhook-delivery.dto.js';
import type { WebhookEndpoint } from './webhook-endpoint.entity.js';
import { WebhookEndpointsRepository } from './webhook-endpoints.repository.js';
import {
  endpointIsDisabled,
  endpointNotFound,
  endsBeforeItBegins,
  eventNotFound,
  eventNotWanted,
  eventTypeNotChosen,
  nothingToReplay,
  tooManyToReplay,
} from './webhooks.errors.js';

const mostReplayed = 10_000;

@Injectable()
export class WebhookDeliveriesService {
  constructor(
    private readonly endpoints: WebhookEndpointsRepository,
    private readonly deliveries: WebhookDeliveriesRepository,
    private readonly permissions: EndpointPermissionsRepository,
    private readonly events: EventsRepository,
    private readonly dispatch: DispatchRepository,
    private readonly audit: AuditService,
  ) {}

  list(caller: Caller, input: ListWebhookDeliveries): Promise<Page<WebhookDeliveryView>> {
    return this.deliveries.list(caller, input);
  }

  async replay(caller: Caller, input: ReplayWebhookDeliveries): Promise<ReplayView> {
    const { endpointId, eventId, from, to, eventTypes } = input;
    const endpoint = await this.endpoints.find(caller, endpointId);
    if (!endpoint) throw endpointNotFound();
    if (endpoint.status === 'disabled') throw endpointIsDisabled();
    if ((eventId === undefined) === (from === undefined) || (eventId && (to ?? eventTypes))) throw nothingToReplay();
    if (from && to && Date.parse(to) <= Date.parse(from)) throw endsBeforeItBegins();
    refuseTypes(endpoint, eventTypes ?? []);
    if (eventId && !(await this.events.isReadable(caller, eventId))) throw eventNotFound();
    if (eventId && !(await this.deliveries.isWanted(endpoint, eventId))) throw eventNotWanted();
    const permitted = await this.permissions.permitted(endpoint, new Date().toISOString());
    const { types: readable } = readableEvents(permitted);
    if (eventId) await this.deliveries.hasten(endpoint, eventId);
    const replayed = await this.deliveries.replay(endpoint, { ...input, readable }, mostReplayed + 1);
    if (replayed > mostReplayed) throw tooManyToReplay();
    const { endpointId: id, ...chosen } = input;
    await this.audit.record(caller.orgId, { target: { type: 'webhook_endpoint', id }, after: { ...chosen, replayed } });
    this.dispatch.becomesDue();
    return { endpointId, replayed };
  }
}

/** Types that do not exist, or that the endpoint did not subscribe to. */
function refuseTypes({ eventTypes }: WebhookEndpoint, asked: readonly string[]): void {
  refuseUnknownTypes('eventTypes', asked);
  const other = asked.findIndex((type) => !eventTypes.includes('*') && !eventTypes.includes(type));
  if (other >= 0) throw eventTypeNotChosen(other);
}
