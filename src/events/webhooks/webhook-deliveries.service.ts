import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import type { Page } from '#operations';
import { TenantDatabase } from '#persistence';
import { AuditService } from '../audit/audit.service.js';
import { EventsRepository } from '../events.repository.js';
import { WakeUps } from '../wake-ups.js';
import { WebhookDeliveriesRepository } from './webhook-deliveries.repository.js';
import type {
  ListWebhookDeliveries,
  ReplayView,
  ReplayWebhookDeliveries,
  WebhookDeliveryView,
} from './webhook-delivery.dto.js';
import { WebhookEndpointsRepository } from './webhook-endpoints.repository.js';
import {
  endpointIsDisabled,
  endpointNotFound,
  eventNotFound,
  nothingToReplay,
  tooManyToReplay,
} from './webhooks.errors.js';

const mostReplayed = 10_000;

@Injectable()
export class WebhookDeliveriesService {
  constructor(
    private readonly database: TenantDatabase,
    private readonly endpoints: WebhookEndpointsRepository,
    private readonly deliveries: WebhookDeliveriesRepository,
    private readonly events: EventsRepository,
    private readonly wakeUps: WakeUps,
    private readonly audit: AuditService,
  ) {}

  list(caller: Caller, input: ListWebhookDeliveries): Promise<Page<WebhookDeliveryView>> {
    return this.deliveries.list(caller, input);
  }

  async replay(caller: Caller, input: ReplayWebhookDeliveries): Promise<ReplayView> {
    const { endpointId, eventId, from } = input;
    const endpoint = await this.endpoints.find(caller, endpointId);
    if (!endpoint) throw endpointNotFound();
    if (endpoint.status === 'disabled') throw endpointIsDisabled();
    if ((eventId === undefined) === (from === undefined)) throw nothingToReplay();
    if (eventId && !(await this.events.positionOf(caller, eventId))) throw eventNotFound();
    const replayed = await this.deliveries.replay(endpoint, input, mostReplayed + 1);
    if (replayed > mostReplayed) throw tooManyToReplay();
    const { endpointId: id, ...chosen } = input;
    await this.audit.record(caller.orgId, { target: { type: 'webhook_endpoint', id }, after: { ...chosen, replayed } });
    this.database.afterCommit(() => this.wakeUps.tell(caller.orgId));
    return { endpointId, replayed };
  }
}
