import { setTimeout as pause } from 'node:timers/promises';
import { ApiError } from './errors.js';
import type { CallOptions, Input, Item, List } from './methods.js';

export interface FeedOptions extends CallOptions {
  /** How long to wait at the end of the feed before looking for new events. Default: 2. */
  pollSeconds?: number;
}

type Event = Item<'listEvents'>;

const pageLimit = 100;
const pollDefault = 2;

/** The events from a cursor on, without an end: it continues until the loop is left or the signal is aborted. */
export class EventFeed implements AsyncIterable<Event> {
  /**
   * Where to continue later: store it after you have dealt with an event. It moves at the end of a page, so that some events
   * come again after a restart, and none is left out.
   */
  cursor: string | undefined;

  constructor(
    private readonly listEvents: List<'listEvents'>,
    private readonly input: Input<'listEvents'> = {},
    private readonly options: FeedOptions = {},
  ) {
    this.cursor = input.cursor;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Event, void> {
    const { signal, pollSeconds = pollDefault } = this.options;
    try {
      for (;;) {
        const { data, meta } = await this.page();
        yield* data;
        this.cursor = meta.pagination.nextCursor ?? this.cursor;
        if (data.length < meta.pagination.limit) await pause(pollSeconds * 1_000, undefined, { signal });
      }
    } catch (error) {
      if (!signal?.aborted) throw error;
    }
  }

  /** The next page. An outage of any length is waited for; an error of the request itself is thrown. */
  private async page(): ReturnType<List<'listEvents'>> {
    const { signal, pollSeconds = pollDefault } = this.options;
    const { from, ...input } = this.input;
    const { cursor } = this;
    for (;;) {
      try {
        const start = cursor === undefined ? { ...(from !== undefined && { from }) } : { cursor };
        return await this.listEvents({ limit: pageLimit, ...input, ...start }, this.options);
      } catch (error) {
        if (error instanceof ApiError && error.status < 500 && error.status !== 429) throw error;
        await pause(pollSeconds * 5_000, undefined, { signal });
      }
    }
  }
}
