import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { invalidField } from '#errors';
import type { Page, Stream } from '#operations';
import { Cursors } from '#persistence';
import { WakeUps } from '#wake-ups';
import { refuseUnknownTypes } from './event-type.js';
import type { EventView, ListEvents, StreamEvents } from './event.dto.js';
import { EventsRepository, type FeedPosition, feedStart } from './events.repository.js';
import { wholeFeed } from './feed-cursors.js';
import { tooManyStreams } from './events.errors.js';
import { refuseUnreadable } from './readable-events.js';
import { EventSignal } from './event-signal.js';

const defaultLimit = 20;
/** The cursor of the feed's end. */
const latest = 'latest';
const streamedAtOnce = 100;
/** How often the edge checks a stream. The stream itself queries the database only when there may be something new. */
const turnEveryMs = 200;
const mostStreams = 100;
/** If the client disconnects before the stream starts, nobody reads it: its place is freed after this time. */
const beginWithinMs = 10_000;

interface Place {
  orgId: string;
  keptUntil: number;
}

/** Events in an order that never changes and can be followed from any point. */
@Injectable()
export class EventFeed {
  private readonly places = new Set<Place>();
  private readonly looks = new Map<string, ReturnType<EventsRepository['after']>>();

  constructor(
    private readonly events: EventsRepository,
    private readonly cursors: Cursors,
    private readonly wakeUps: WakeUps,
  ) {}

  async list(
    caller: Caller,
    { cursor, limit = defaultLimit, from: since, ...filters }: ListEvents,
  ): Promise<Page<EventView>> {
    if (cursor !== undefined && since !== undefined) throw eitherFromOrCursor();
    refuseUnknownTypes('types', filters.types ?? []);
    refuseUnreadable(caller, filters.types ?? []);
    const { types, subject, propertyId, requestId } = filters;
    const list = JSON.stringify([
      'events',
      caller.orgId,
      types,
      subject,
      propertyId,
      ...(requestId ? [requestId] : []),
    ]);
    const page = ({ transactionId, position }: FeedPosition, items: EventView[]): Page<EventView> => ({
      items,
      limit,
      nextCursor: this.cursors.write([transactionId, position], list),
    });
    if (cursor === latest) return page(await this.events.end(caller.orgId), []);
    const from = cursor === undefined ? feedStart : this.read(cursor, list, wholeFeed(caller.orgId));
    const { events, next } = await this.events.after(caller, { ...filters, since }, from, limit);
    return page(next, events);
  }

  async stream(caller: Caller, input: StreamEvents): Promise<Stream<EventView>> {
    refuseUnknownTypes('types', input.types ?? []);
    refuseUnreadable(caller, input.types ?? []);
    const stream = this.follow(caller, input);
    await stream.next();
    return stream;
  }

  /**
   * The first item means that the stream has its place and knows where to start, so that of parallel calls none exceeds
   * the limit while another waits for the database. Ends when its consumer returns.
   */
  private async *follow(
    caller: Caller,
    { lastEventId, ...filters }: StreamEvents,
  ): AsyncGenerator<EventView | undefined, void> {
    const place = this.takePlace(caller.orgId);
    const signal = new EventSignal(this.wakeUps, caller.orgId);
    const sight = JSON.stringify([caller.orgId, caller.propertyIds, [...caller.permissions].sort(), filters]);
    try {
      let position = await this.startOf(caller, lastEventId);
      yield undefined;
      place.keptUntil = Infinity;
      for (;;) {
        signal.looks();
        const { events, next, hasHidden } = await this.look(sight, position, () =>
          this.events.after(caller, filters, position, streamedAtOnce),
        );
        yield* events;
        position = next;
        if (events.length === streamedAtOnce) continue;
        do {
          yield undefined;
          await signal.within(turnEveryMs);
        } while (!hasHidden && !signal.isGiven);
      }
    } finally {
      signal.end();
      this.places.delete(place);
    }
  }

  /** One query for all that look for the same at the same time: an event wakes them all, and it starts after that. */
  private look(sight: string, at: FeedPosition, find: () => ReturnType<EventsRepository['after']>) {
    const key = `${sight} ${at.transactionId} ${at.position}`;
    const look = this.looks.get(key) ?? new Promise(setImmediate).then(() => this.looks.delete(key)).then(find);
    this.looks.set(key, look);
    return look;
  }

  /** The event is no longer stored, so all stored events came after it. */
  private async startOf(caller: Caller, lastEventId: string | undefined): Promise<FeedPosition> {
    if (!lastEventId) return await this.events.end(caller.orgId);
    return (await this.events.positionOf(caller, lastEventId)) ?? feedStart;
  }

  private takePlace(orgId: string): Place {
    const now = Date.now();
    let taken = 0;
    for (const place of this.places) {
      if (place.keptUntil <= now) this.places.delete(place);
      else if (place.orgId === orgId) taken += 1;
    }
    if (taken >= mostStreams) throw tooManyStreams(mostStreams);
    const place = { orgId, keptUntil: now + beginWithinMs };
    this.places.add(place);
    return place;
  }

  private read(cursor: string, ...lists: string[]): FeedPosition {
    const [transactionId, position] = this.cursors.read(cursor, ...lists);
    return { transactionId: transactionId as string, position };
  }
}

const eitherFromOrCursor = () => invalidField(['from'], 'A cursor already sets the start. Omit either from or cursor.');
