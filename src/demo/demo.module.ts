import { Module } from '@nestjs/common';
import { UsersModule } from '../accounts/users.module.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { ReservationsModule } from '../reservations/reservations.module.js';
import { TasksModule } from '../tasks/tasks.module.js';
import { DemoService } from './demo.service.js';
import { LoadService } from './load.service.js';

/** Data to look around in, and data to measure with. */
@Module({
  imports: [UsersModule, OrganizationsModule, ReservationsModule, TasksModule],
  providers: [DemoService, LoadService],
  exports: [DemoService, LoadService],
})
export class DemoModule {}
