import { Module } from '@nestjs/common';
import { UsersModule } from '../../tenancy/people/users.module.js';
import { ConnectionsModule } from '../../outside/connections/connections.module.js';
import { DevicesModule } from '../../features/devices/devices.module.js';
import { OrganizationsModule } from '../../tenancy/organizations.module.js';
import { ReservationsModule } from '../../features/reservations/reservations.module.js';
import { TasksModule } from '../../features/tasks/tasks.module.js';
import { OperatorClientsModule } from '../../auth/oauth/operator-clients.module.js';
import { TemplatesModule } from '../../features/templates/templates.module.js';
import { MessagesModule } from '../../outside/messages/messages.module.js';
import { WebhooksModule } from '../../outside/webhooks/webhooks.module.js';
import { WorkflowsModule } from '../../features/workflows/workflows.module.js';
import { DemoAutomation } from './demo-automation.service.js';
import { DemoDevices } from './demo-devices.service.js';
import { DemoExamples } from './demo-examples.service.js';
import { DemoHotel } from './demo-hotel.service.js';
import { DemoService } from './demo.service.js';
import { DemoStays } from './demo-stays.service.js';
import { LoadService } from './load.service.js';

/** Data for trying the service out, and data for measurements. */
@Module({
  imports: [
    UsersModule,
    OrganizationsModule,
    ConnectionsModule,
    ReservationsModule,
    TasksModule,
    DevicesModule,
    MessagesModule,
    OperatorClientsModule,
    TemplatesModule,
    WebhooksModule,
    WorkflowsModule,
  ],
  providers: [DemoAutomation, DemoDevices, DemoExamples, DemoHotel, DemoService, DemoStays, LoadService],
  exports: [DemoAutomation, DemoExamples, DemoService, LoadService],
})
export class DemoModule {}
