import { operation, page, stream } from '#operations';
import { EventView, ListEvents, StreamEvents } from './event.dto.js';
import { tooManyStreams } from './events.errors.js';

export const listEvents = operation({
  name: 'listEvents',
  route: 'GET /events',
  scope: 'events:read',
  effect: 'read',
  reach: 'property',
  title: 'List events',
  description:
    'Lists the events of the last 30 days, oldest first. nextCursor is always present: at the end, use it again later.',
  askedAs: 'what happened since yesterday or last night, changes',
  input: ListEvents,
  output: page(EventView),
});

export const streamEvents = operation({
  name: 'streamEvents',
  route: 'GET /events/stream',
  scope: 'events:read',
  effect: 'read',
  reach: 'property',
  title: 'Follow events as they happen',
  description:
    'Streams events as they happen, or from Last-Event-ID on, as server-sent events: `id` is the id of the event, `data` the event as JSON.',
  refuses: [tooManyStreams],
  input: StreamEvents,
  output: stream(EventView),
});
