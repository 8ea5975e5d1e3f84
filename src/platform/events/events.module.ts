import { Module } from '@nestjs/common';
import { EventFeed } from './event-feed.service.js';
import { EventsController } from './events.controller.js';
import { EventsRepository } from './events.repository.js';
import { EventsService } from './events.service.js';
import { WakeUps } from './wake-ups.js';

@Module({
  controllers: [EventsController],
  providers: [EventFeed, EventsRepository, EventsService, WakeUps],
  exports: [EventsRepository, EventsService, WakeUps],
})
export class EventsModule {}
