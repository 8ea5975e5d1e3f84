import { Injectable } from '@nestjs/common';
import { Cursors } from '#persistence';
import { EventsRepository, type FeedPosition } from './events.repository.js';

/** A list may name a place of the feed that is a little earlier than its own: more events follow, and none is missed. */
const freshMs = 1_000;

/** The binding of cursors that work with any filters of an organization's feed. */
export const wholeFeed = (orgId: string): string => JSON.stringify(['feed', orgId]);

/** Where the feed continues after a list: one query a second, however many lists there are. */
@Injectable()
export class FeedCursors {
  private end?: Promise<FeedPosition>;
  private takenAt = Number.NEGATIVE_INFINITY;
  private written = new Map<string, string>();

  constructor(
    private readonly events: EventsRepository,
    private readonly cursors: Cursors,
  ) {}

  /** For what is read after this call: every event before the cursor is reflected in it. */
  async before(orgId: string): Promise<string> {
    if (!this.end || performance.now() - this.takenAt > freshMs) this.look(orgId);
    const { transactionId, position } = await (this.end as Promise<FeedPosition>);
    const known = this.written.get(orgId);
    if (known) return known;
    const cursor = this.cursors.write([transactionId, position], wholeFeed(orgId));
    this.written.set(orgId, cursor);
    return cursor;
  }

  private look(orgId: string): void {
    this.takenAt = performance.now();
    const end = this.events.end(orgId);
    this.end = end;
    end.then(
      () => (this.written = new Map<string, string>()),
      () => {
        if (this.end === end) this.end = undefined;
      },
    );
  }
}
