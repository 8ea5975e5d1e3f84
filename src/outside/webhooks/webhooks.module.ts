import { Module } from '@nestjs/common';
import { OrganizationsModule } from '../../tenancy/organizations.module.js';
import { MailModule } from '../../platform/mail/mail.module.js';
import { EventsModule } from '../../platform/events/events.module.js';
import { DeliveryService } from './delivery.service.js';
import { DispatchRepository } from './dispatch.repository.js';
import { Dispatcher } from './dispatcher.js';
import { EndpointPermissionsRepository } from './endpoint-permissions.repository.js';
import { EndpointPermissions } from './endpoint-permissions.service.js';
import { WebhookDeliveriesController } from './webhook-deliveries.controller.js';
import { WebhookDeliveriesRepository } from './webhook-deliveries.repository.js';
import { WebhookDeliveriesService } from './webhook-deliveries.service.js';
import { WebhookEndpointsController } from './webhook-endpoints.controller.js';
import { WebhookEndpointsRepository } from './webhook-endpoints.repository.js';
import { WebhookEndpointsService } from './webhook-endpoints.service.js';

@Module({
  imports: [EventsModule, MailModule, OrganizationsModule],
  controllers: [WebhookEndpointsController, WebhookDeliveriesController],
  providers: [
    DeliveryService,
    DispatchRepository,
    Dispatcher,
    EndpointPermissions,
    EndpointPermissionsRepository,
    WebhookDeliveriesRepository,
    WebhookDeliveriesService,
    WebhookEndpointsRepository,
    WebhookEndpointsService,
  ],
  exports: [WebhookEndpointsService],
})
export class WebhooksModule {}
