import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { conflict } from '#errors';
import type { Page, Stream } from '#operations';
import { Cursors } from '#persistence';
import { refuseUnknownTypes } from './event-type.js';
import type { EventView, ListEvents, StreamEvents } from './event.dto.js';
import { EventsRepository, type FeedFilters, type FeedPosition, feedStart } from './events.repository.js';
import { WakeUps } from './wake-ups.js';

const defaultLimit = 20;
const streamedAtOnce = 100;
/** Commits of other processes are looked for so often. */
const pollEveryMs = 200;
const mostStreams = 100;

/** What happened, in an order that never changes and can be followed from any point of it. */
@Injectable()
export class EventFeed {
  private readonly streams = new Map<string, number>();

  constructor(
    private readonly events: EventsRepository,
    private readonly cursors: Cursors,
    private readonly wakeUps: WakeUps,
  ) {}

  async list(caller: Caller, { cursor, limit = defaultLimit, ...filters }: ListEvents): Promise<Page<EventView>> {
    refuseUnknownTypes('types', filters.types ?? []);
    const list = JSON.stringify(['events', caller.orgId, filters.types, filters.subject]);
    const from = cursor === undefined ? feedStart : this.read(cursor, list);
    const { events, next } = await this.events.after(caller, filters, from, limit);
    return { items: events, limit, nextCursor: this.cursors.write([next.transactionId, next.position], list) };
  }

  async stream(caller: Caller, { lastEventId, ...filters }: StreamEvents): Promise<Stream<EventView>> {
    refuseUnknownTypes('types', filters.types ?? []);
    if ((this.streams.get(caller.orgId) ?? 0) >= mostStreams) throw tooManyStreams();
    // An event that is not kept any more: all that is kept came after it.
    const from = lastEventId
      ? ((await this.events.positionOf(caller, lastEventId)) ?? feedStart)
      : await this.events.end(caller.orgId);
    return this.follow(caller, filters, from);
  }

  /** Ends when whoever iterates it returns. */
  private async *follow(caller: Caller, filters: FeedFilters, from: FeedPosition): Stream<EventView> {
    this.count(caller.orgId, 1);
    try {
      for (let position = from; ;) {
        const { events, next } = await this.events.after(caller, filters, position, streamedAtOnce);
        yield* events;
        position = next;
        if (events.length === streamedAtOnce) continue;
        yield undefined;
        await this.wakeUps.next(caller.orgId, pollEveryMs);
      }
    } finally {
      this.count(caller.orgId, -1);
    }
  }

  private count(orgId: string, change: 1 | -1): void {
    const count = (this.streams.get(orgId) ?? 0) + change;
    if (count > 0) this.streams.set(orgId, count);
    else this.streams.delete(orgId);
  }

  private read(cursor: string, list: string): FeedPosition {
    const [transactionId, position] = this.cursors.read(cursor, list);
    return { transactionId: transactionId as string, position };
  }
}

const tooManyStreams = () =>
  conflict('TOO_MANY_STREAMS', `This organization follows ${mostStreams} streams already; end one, or ask listEvents.`);
