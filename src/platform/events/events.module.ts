import { Module } from '@nestjs/common';
import { Aftermath } from './aftermath.js';
import { FeedCursors } from './feed-cursors.js';
import { EventFeed } from './event-feed.service.js';
import { EventRecords } from './event-records.js';
import { EventsController } from './events.controller.js';
import { EventsRepository } from './events.repository.js';
import { EventsService } from './events.service.js';
import { PutBacks } from './put-backs.js';
import { UndoLocks } from './undo-locks.js';
import { UndoneChanges } from './undone-changes.js';
import { UndoSteps } from './undo-steps.repository.js';

@Module({
  controllers: [EventsController],
  providers: [
    Aftermath,
    EventFeed,
    EventRecords,
    FeedCursors,
    EventsRepository,
    EventsService,
    PutBacks,
    UndoLocks,
    UndoneChanges,
    UndoSteps,
  ],
  exports: [Aftermath, FeedCursors, EventsRepository, EventsService, PutBacks, UndoLocks, UndoneChanges, UndoSteps],
})
export class EventsModule {}
