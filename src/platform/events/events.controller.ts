import { Controller } from '@nestjs/common';
import type { Caller } from '#access';
import { Handles } from '#operations';
import type { ListEvents, StreamEvents } from './event.dto.js';
import { EventFeed } from './event-feed.service.js';
import { listEvents, streamEvents } from './events.operations.js';

@Controller()
export class EventsController {
  constructor(private readonly feed: EventFeed) {}

  @Handles(listEvents) list(caller: Caller, input: ListEvents) {
    return this.feed.list(caller, input);
  }

  @Handles(streamEvents) stream(caller: Caller, input: StreamEvents) {
    return this.feed.stream(caller, input);
  }
}
