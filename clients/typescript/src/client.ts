import { callOf } from './calls.js';
import { EventFeed, type FeedOptions } from './event-feed.js';
import { addresses, type Operations } from './generated/operations.js';
import type { Input } from './methods.js';
import { Transport, type TransportOptions } from './transport.js';

export type PropertyOperationsOptions = TransportOptions;

class Client {
  constructor(options: PropertyOperationsOptions) {
    const transport = new Transport(options);
    for (const [name, address] of Object.entries(addresses))
      Object.defineProperty(this, name, { value: callOf(transport, address), enumerable: true });
  }

  /** The events from a cursor on, and new ones as they happen. */
  followEvents(this: PropertyOperations, input?: Input<'listEvents'>, options?: FeedOptions): EventFeed {
    return new EventFeed(this.listEvents, input, options);
  }
}

/**
 * A client of the Property Operations Service. Every operation is a method that takes one object: the fields of its path,
 * query and body together.
 */
export type PropertyOperations = Client & Operations;
export const PropertyOperations = Client as new (options: PropertyOperationsOptions) => PropertyOperations;
