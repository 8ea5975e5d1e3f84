import { Controller } from '@nestjs/common';
import type { Caller } from '#access';
import { Handles } from '#operations';
import type {
  CreateWebhookEndpoint,
  ListWebhookEndpoints,
  ThisWebhookEndpoint,
  UpdateWebhookEndpoint,
} from './webhook-endpoint.dto.js';
import { WebhookEndpointsService } from './webhook-endpoints.service.js';
import {
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  listWebhookEndpoints,
  rotateWebhookSecret,
  testWebhookEndpoint,
  updateWebhookEndpoint,
} from './webhooks.operations.js';

@Controller()
export class WebhookEndpointsController {
  constructor(private readonly endpoints: WebhookEndpointsService) {}

  @Handles(createWebhookEndpoint) create(caller: Caller, input: CreateWebhookEndpoint) {
    return this.endpoints.create(caller, input);
  }

  @Handles(listWebhookEndpoints) list(caller: Caller, input: ListWebhookEndpoints) {
    return this.endpoints.list(caller, input);
  }

  @Handles(updateWebhookEndpoint) update(caller: Caller, input: UpdateWebhookEndpoint) {
    return this.endpoints.update(caller, input);
  }

  @Handles(testWebhookEndpoint) test(caller: Caller, { endpointId }: ThisWebhookEndpoint) {
    return this.endpoints.test(caller, endpointId);
  }

  @Handles(rotateWebhookSecret) rotateSecret(caller: Caller, { endpointId }: ThisWebhookEndpoint) {
    return this.endpoints.rotateSecret(caller, endpointId);
  }

  @Handles(deleteWebhookEndpoint) delete(caller: Caller, { endpointId }: ThisWebhookEndpoint) {
    return this.endpoints.delete(caller, endpointId);
  }
}
