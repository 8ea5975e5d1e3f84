import { Controller } from '@nestjs/common';
import type { Caller } from '#access';
import { Handles } from '#operations';
import type { ListWebhookDeliveries, ReplayWebhookDeliveries } from '../../events/webhooks/webhook-delivery.dto.js';
import { WebhookDeliveriesService } from './webhook-deliveries.service.js';
import { listWebhookDeliveries, replayWebhookDeliveries } from './webhooks.operations.js';

@Controller()
export class WebhookDeliveriesController {
  constructor(private readonly deliveries: WebhookDeliveriesService) {}

  @Handles(listWebhookDeliveries) list(input: ListWebhookDeliveries, caller: Caller) {
    return this.deliveries.list(caller, input);
  }

  @Handles(replayWebhookDeliveries) replay(input: ReplayWebhookDeliveries, caller: Caller) {
    return this.deliveries.replay(caller, input);
  }
}
