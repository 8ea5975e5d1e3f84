import { Controller } from '@nestjs/common';
import type { Caller } from '#access';
import { Handles } from '#operations';
import type { ListWebhookDeliveries, ReplayWebhookDeliveries } from './webhook-delivery.dto.js';
import { WebhookDeliveriesService } from './webhook-deliveries.service.js';
import { listWebhookDeliveries, replayWebhookDeliveries } from './webhooks.operations.js';

@Controller()
export class WebhookDeliveriesController {
  constructor(private readonly deliveries: WebhookDeliveriesService) {}

  @Handles(listWebhookDeliveries) list(caller: Caller, input: ListWebhookDeliveries) {
    return this.deliveries.list(caller, input);
  }

  @Handles(replayWebhookDeliveries) replay(caller: Caller, input: ReplayWebhookDeliveries) {
    return this.deliveries.replay(caller, input);
  }
}
