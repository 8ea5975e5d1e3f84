import { operation, page, stream } from '#operations';
import { EventView, ListEvents, StreamEvents } from './event.dto.js';

export const listEvents = operation({
  name: 'listEvents',
  route: 'GET /events',
  scope: 'events:read',
  effect: 'read',
  reach: 'property',
  title: 'List events',
  description:
    'What happened in the last 30 days, oldest first. There is always a nextCursor: at the end, ask again with it later.',
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
    'Server-sent events from now on, or from Last-Event-ID on: `id` is the id of an event, `data` the event as JSON.',
  input: StreamEvents,
  output: stream(EventView),
});
