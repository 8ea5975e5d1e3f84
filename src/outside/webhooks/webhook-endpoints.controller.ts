import { Controller } from '@nestjs/common';
import type { Caller } from '#access';
import { Handles } from '#operations';
import type {
  CreateWebhookEndpoint,
  ListWebhookEndpoints,
  ThisWebhookEndpoint,
  UpdateWebhookEndpoint,
} from '../../events/webhooks/webhook-endpoint.dto.js';
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

  @Handles(createWebhookEndpoint) create(input: CreateWebhookEndpoint, caller: Caller) {
    return this.endpoints.create(caller, input);
  }

  @Handles(listWebhookEndpoints) list(input: ListWebhookEndpoints, caller: Caller) {
    return this.endpoints.list(caller, input);
  }

  @Handles(updateWebhookEndpoint) update(input: UpdateWebhookEndpoint, caller: Caller) {
    return this.endpoints.update(caller, input);
  }

  @Handles(testWebhookEndpoint) test({ endpointId }: ThisWebhookEndpoint, caller: Caller) {
    return this.endpoints.test(caller, endpointId);
  }

  @Handles(rotateWebhookSecret) rotateSecret({ endpointId }: ThisWebhookEndpoint, caller: Caller) {
    return this.endpoints.rotateSecret(caller, endpointId);
  }

  @Handles(deleteWebhookEndpoint) delete({ endpointId }: ThisWebhookEndpoint, caller: Caller) {
    return this.endpoints.delete(caller, endpointId);
  }
}
