import { Module } from '@nestjs/common';
import { FeedCursors } from './feed-cursors.js';
import { EventFeed } from './event-feed.service.js';
import { EventsController } from './events.controller.js';
import { EventsRepository } from './events.repository.js';
import { EventsService } from './events.service.js';
import { UndoSteps } from './undo-steps.repository.js';

@Module({
  controllers: [EventsController],
  providers: [EventFeed, FeedCursors, EventsRepository, EventsService, UndoSteps],
  exports: [FeedCursors, EventsRepository, EventsService, UndoSteps],
})
export class EventsModule {}
