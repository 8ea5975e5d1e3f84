import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { GuestsController } from './guests.controller.js';
import { GuestsRepository } from './guests.repository.js';
import { GuestsService } from './guests.service.js';
import { ReservationsController } from './reservations.controller.js';
import { ReservationsRepository } from './reservations.repository.js';
import { ReservationsService } from './reservations.service.js';
import { StayTimes } from './stay-times.js';

@Module({
  imports: [EventsModule, OrganizationsModule],
  controllers: [ReservationsController, GuestsController],
  providers: [GuestsRepository, GuestsService, ReservationsRepository, ReservationsService, StayTimes],
})
export class ReservationsModule {}
