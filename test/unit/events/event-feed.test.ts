import { generateKeySync } from 'node:crypto';
import type { Caller } from '#access';
import { Cursors } from '#persistence';
import { WakeUps } from '#wake-ups';
import { EventSignal } from '../../../src/platform/events/event-signal.js';
import { EventFeed } from '../../../src/platform/events/event-feed.service.js';
import type { EventsRepository, FeedPosition } from '../../../src/platform/events/events.repository.js';
import { eventTopic } from '../../../src/platform/events/event-topic.js';

/** A feed in memory, and who read it. */
function feedOf() {
  const happened: { id: string }[] = [];
  const looks: string[] = [];
  const repository = {
    end: () => Promise.resolve({ transactionId: String(happened.length), position: '0' }),
    after: ({ orgId, propertyIds, permissions }: Caller, _: object, { transactionId }: FeedPosition) => {
      looks.push(`${orgId} ${propertyIds?.join() ?? 'all'} ${[...permissions].join()}`);
      const events = happened.slice(Number(transactionId));
      return Promise.resolve({ events, next: { transactionId: String(happened.length), position: '0' } });
    },
  };
  const wakeUps = new WakeUps();
  const cursors = new Cursors(generateKeySync('hmac', { length: 256 }));
  const feed = new EventFeed(repository as unknown as EventsRepository, cursors, wakeUps);
  const happen = (id: string, orgIds = ['org']): void => {
    happened.push({ id });
    orgIds.forEach((orgId) => wakeUps.wake(eventTopic(orgId)));
  };
  return { feed, looks, happen };
}

const callerOf = (orgId: string, permissions: string[], propertyIds: string[] | null = null): Caller =>
  ({ orgId, propertyIds, permissions: new Set(permissions) }) as unknown as Caller;

/** The next events that each of the streams gets. */
const nextOf = (streams: AsyncIterator<{ id: string } | undefined>[]): Promise<string[]> =>
  Promise.all(
    streams.map(async (stream) => {
      for (;;) {
        const { value } = await stream.next();
        if (value) return (value as { id: string }).id;
      }
    }),
  );

const followed = async (feed: EventFeed, callers: Caller[]) =>
  await Promise.all(callers.map(async (caller) => (await feed.stream(caller, {}))[Symbol.asyncIterator]()));

it('queries the database once for all streams that an event wakes, and again for the next event', async () => {
  const { feed, looks, happen } = feedOf();
  const streams = await followed(
    feed,
    Array.from({ length: 20 }, () => callerOf('org', ['events:read'])),
  );
  const first = nextOf(streams);
  await new Promise(setImmediate);
  happen('event_1');
  expect(new Set(await first)).toEqual(new Set(['event_1']));
  const second = nextOf(streams);
  await new Promise(setImmediate);
  happen('event_2');
  expect(new Set(await second)).toEqual(new Set(['event_2']));
  expect(looks.length).toBeLessThan(20);
  for (const stream of streams) await stream.return?.();
});

it('queries for each view separately', async () => {
  const { feed, looks, happen } = feedOf();
  const callers = [
    callerOf('org', ['events:read']),
    callerOf('org', ['events:read', 'tasks:read']),
    callerOf('org', ['events:read'], ['property_1']),
    callerOf('other', ['events:read']),
  ];
  const streams = await followed(feed, callers);
  const got = nextOf(streams);
  happen('event_1', ['org', 'other']);
  await got;
  expect([...new Set(looks)].sort()).toEqual([
    'org all events:read',
    'org all events:read,tasks:read',
    'org property_1 events:read',
    'other all events:read',
  ]);
  for (const stream of streams) await stream.return?.();
});

it('ends the wait of a follower as soon as something is committed', async () => {
  const wakeUps = new WakeUps();
  const signal = new EventSignal(wakeUps, 'org');
  signal.looks();
  let isOver = false;
  void signal.within(60_000).then(() => (isOver = true));
  wakeUps.wake(eventTopic('org'));
  await new Promise(setImmediate);
  expect(isOver).toBe(true);
  signal.end();
});
