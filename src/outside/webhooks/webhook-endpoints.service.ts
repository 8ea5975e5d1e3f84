import { setTimeout as wait } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { type Caller, expectVersion } from '#access';
import { deletionOf, type DeletionView, type Page } from '#operations';
import { Outbound, OutboundError } from '#outbound';
import { newId } from '#persistence';
import { Keyring } from '#secrets';
import { PropertiesService } from '../../tenancy/properties/properties.service.js';
import { propertyLimit } from '../../tenancy/properties/property-limit.js';
import { Quotas } from '../../tenancy/quotas/quotas.service.js';
import { refuseUnknownTypes } from '../../platform/events/event-type.js';
import { EventsService } from '../../platform/events/events.service.js';
import { eventsNotReadable } from '../../platform/events/events.errors.js';
import { refuseUnreadable } from '../../platform/events/readable-events.js';
import { DispatchRepository } from './dispatch.repository.js';
import { EndpointPermissionsRepository } from './endpoint-permissions.repository.js';
import { anyType, isMadeBy, makerOf, scopesFor } from './maker-permissions.js';
import { newWebhookSecret } from './signature.js';
import { WebhookDeliveriesRepository } from './webhook-deliveries.repository.js';
import type { WebhookDeliveryView } from './webhook-delivery.dto.js';
import type { CreateWebhookEndpoint, ListWebhookEndpoints, UpdateWebhookEndpoint } from './webhook-endpoint.dto.js';
import { secretContext, WebhookEndpoint } from './webhook-endpoint.entity.js';
import { WebhookEndpointsRepository } from './webhook-endpoints.repository.js';
import { endpointIsDisabled, endpointNotFound, urlRefused } from './webhooks.errors.js';
import {
  endpointCreated,
  endpointDeleted,
  endpointSecretRotated,
  endpointTested,
  endpointUpdated,
} from './webhooks.events.js';

const bothSecretsMs = 24 * 60 * 60_000;
/** How long to wait for a name to resolve. A slower one is checked when something is sent to it. */
const resolveWithinMs = 1_000;

type WithSecret = Omit<WebhookEndpoint, 'secret'> & { secret: string };

@Injectable()
export class WebhookEndpointsService {
  constructor(
    private readonly endpoints: WebhookEndpointsRepository,
    private readonly deliveries: WebhookDeliveriesRepository,
    private readonly permissions: EndpointPermissionsRepository,
    private readonly properties: PropertiesService,
    private readonly events: EventsService,
    private readonly outbound: Outbound,
    private readonly keyring: Keyring,
    private readonly quotas: Quotas,
    private readonly dispatch: DispatchRepository,
  ) {}

  async create(caller: Caller, input: CreateWebhookEndpoint): Promise<WithSecret> {
    refuseUnknownTypes('eventTypes', input.eventTypes, [anyType]);
    await this.refuseUnreachable(input.url);
    const secret = newWebhookSecret();
    const id = newId('endpoint');
    const now = new Date().toISOString();
    const endpoint = Object.assign(new WebhookEndpoint(), {
      ...input,
      description: input.description ?? null,
      propertyIds: await propertyLimit(caller, this.properties, input.propertyIds ?? null),
      orgId: caller.orgId,
      id,
      ...this.bindingOf(caller, input.eventTypes),
      health: 'enabled' as const,
      failingSince: null,
      secret: this.keyring.seal(secret, secretContext(id)),
      previousSecret: null,
      previousSecretUntil: null,
      version: 1,
      createdAt: now,
      updatedAt: now,
    });
    await this.quotas.admit(caller, 'webhookEndpoints');
    await this.endpoints.insert(endpoint);
    this.events.record(caller, endpointCreated, endpoint);
    return shownWith(endpoint, secret);
  }

  list(caller: Caller, input: ListWebhookEndpoints): Promise<Page<WebhookEndpoint>> {
    return this.endpoints.list(caller, input);
  }

  /**
   * The member who edits an endpoint becomes its maker. Only disabling it requires no permission to read its events.
   */
  async update(
    caller: Caller,
    { endpointId, propertyIds, status, ...input }: UpdateWebhookEndpoint,
  ): Promise<WebhookEndpoint> {
    refuseUnknownTypes('eventTypes', input.eventTypes ?? [], [anyType]);
    if (input.url !== undefined) await this.refuseUnreachable(input.url);
    const endpoint = await this.forChange(caller, endpointId);
    const isOnlyDisabled =
      status === 'disabled' && [propertyIds, ...Object.values(input)].every((given) => given === undefined);
    if (!isOnlyDisabled) await this.refuseTakeOver(caller, endpoint);
    const limit = propertyIds === undefined ? undefined : await propertyLimit(caller, this.properties, propertyIds);
    const before = await this.endpoints.update(endpoint, {
      ...input,
      ...(limit !== undefined && { propertyIds: limit }),
      ...(status && { health: status }),
      ...(status === 'enabled' && { failingSince: null }),
      ...(!isOnlyDisabled && this.bindingOf(caller, input.eventTypes ?? endpoint.eventTypes)),
    });
    this.events.record(caller, endpointUpdated, endpoint, before);
    this.dispatch.becomesDue();
    return endpoint;
  }

  /** Delivered like any other event, as soon as it is committed. */
  async test(caller: Caller, endpointId: string): Promise<WebhookDeliveryView> {
    const endpoint = await this.forChange(caller, endpointId);
    await this.refuseTakeOver(caller, endpoint);
    if (endpoint.status === 'disabled') throw endpointIsDisabled();
    const eventId = this.events.record(caller, endpointTested, endpoint, endpoint);
    await this.events.writeNow();
    this.dispatch.becomesDue();
    return await this.deliveries.addTest(endpoint, eventId);
  }

  async rotateSecret(caller: Caller, endpointId: string): Promise<WithSecret> {
    const endpoint = await this.forChange(caller, endpointId);
    await this.refuseTakeOver(caller, endpoint);
    const secret = newWebhookSecret();
    const before = await this.endpoints.update(endpoint, {
      secret: this.keyring.seal(secret, secretContext(endpointId)),
      previousSecret: endpoint.secret,
      previousSecretUntil: new Date(Date.now() + bothSecretsMs).toISOString(),
    });
    this.events.record(caller, endpointSecretRotated, endpoint, before);
    return shownWith(endpoint, secret);
  }

  async delete(caller: Caller, endpointId: string): Promise<DeletionView> {
    await this.endpoints.lockAll(caller.orgId);
    const endpoint = await this.forChange(caller, endpointId);
    await this.endpoints.delete(endpoint);
    this.events.record(caller, endpointDeleted, null, endpoint);
    return deletionOf(endpointId);
  }

  private async forChange(caller: Caller, endpointId: string): Promise<WebhookEndpoint> {
    const endpoint = await this.endpoints.find(caller, endpointId, 'for no key update');
    if (!endpoint) throw endpointNotFound();
    expectVersion(caller, endpoint);
    return endpoint;
  }

  /**
   * Another maker's endpoint can be changed only by a caller who may read everything that the maker may, now or when
   * they bound it, because a suspended maker may be reinstated.
   *
   * @throws authorization_error that names what is missing.
   */
  private async refuseTakeOver(caller: Caller, endpoint: WebhookEndpoint): Promise<void> {
    if (isMadeBy(caller, endpoint)) return;
    const permitted = await this.permissions.permitted(endpoint, new Date().toISOString());
    const needed = [...endpoint.scopes, ...scopesFor(endpoint.eventTypes, permitted)];
    const missing = needed.filter((scope) => !caller.permissions.has(scope));
    if (missing.length > 0) throw eventsNotReadable([...new Set(missing)].sort());
  }

  /** @throws authorization_error if the caller may not read the types that are subscribed to. */
  private bindingOf(caller: Caller, types: readonly string[]) {
    refuseUnreadable(caller, types);
    return { ...makerOf(caller), scopes: scopesFor(types, caller.permissions), missingScopes: [] };
  }

  /** Reports early what each delivery would meet. A name that does not resolve now may do so later. */
  private async refuseUnreachable(url: string): Promise<void> {
    try {
      this.outbound.check(url);
      await Promise.race([this.outbound.destination(url), wait(resolveWithinMs, undefined, { ref: false })]);
    } catch (error) {
      if (error instanceof OutboundError && error.failure === 'refused') throw urlRefused(error.message);
      if (!(error instanceof OutboundError)) throw error;
    }
  }
}

const shownWith = (endpoint: WebhookEndpoint, secret: string): WithSecret => ({
  ...endpoint,
  status: endpoint.status,
  secret,
});
