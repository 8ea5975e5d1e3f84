import { Module } from '@nestjs/common';
import { FeedCursors } from './feed-cursors.js';
import { EventFeed } from './event-feed.service.js';
import { EventsController } from './events.controller.js';
import { EventsRepository } from './events.repository.js';
import { EventsService } from './events.service.js';

@Module({
  controllers: [EventsController],
  providers: [EventFeed, FeedCursors, EventsRepository, EventsService],
  exports: [FeedCursors, EventsRepository, EventsService],
})
export class EventsModule {}
