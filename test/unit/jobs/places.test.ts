import { Places } from '../../../libs/jobs/places.js';
import { LaneQueue } from '../../../libs/jobs/lane-queue.js';
import type { QueueStore } from '../../../libs/jobs/queue-store.js';
import type { DueJob } from '../../../libs/jobs/work.js';

/** How many places each of these gets when all of them take what they may, in turn. */
function filled(all: number, owners: readonly (string | undefined)[]): number[] {
  const places = new Places(all);
  const taken = owners.map(() => 0);
  for (let isAnyTaken = true; isAnyTaken;) {
    isAnyTaken = false;
    owners.forEach((owner, index) => {
      if (!places.mayTake(owner)) return;
      places.take(owner);
      taken[index] = (taken[index] as number) + 1;
      isAnyTaken = true;
    });
  }
  return taken;
}

it.each([
  [['a'], [16]],
  [
    ['a', 'b'],
    [11, 11],
  ],
  [
    ['a', 'b', 'c'],
    [8, 8, 8],
  ],
  [
    ['a', 'b', 'c', 'd', 'e', 'f', 'g'],
    [4, 4, 4, 4, 4, 4, 4],
  ],
])('leave as many of 32 places free as each of %j has', (owners, expected) => {
  expect(filled(32, owners)).toEqual(expected);
});

it('leave a place for a late one however early the others came', () => {
  const places = new Places(8);
  while (places.mayTake('first')) places.take('first');
  while (places.mayTake('second')) places.take('second');
  expect(places.mayTake('third')).toBe(true);
});

it('let a lane of one place be used', () => {
  expect(filled(1, ['a'])).toEqual([1]);
});

it('can be taken again after they are released', () => {
  const places = new Places(8);
  while (places.mayTake('a')) places.take('a');
  places.leave('a');
  expect(places.mayTake('a')).toBe(true);
  places.take('a');
  expect(places.mayTake('a')).toBe(false);
});

it('do not limit work that belongs to no organization', () => {
  const places = new Places(2);
  for (let taken = 0; taken < 2; taken += 1) {
    expect(places.mayTake(undefined)).toBe(true);
    places.take(undefined);
  }
  places.leave(undefined);
  expect(places.mayTake('a')).toBe(true);
});

it('are released when a job of the lane ends, also one that fails', async () => {
  let take: (job: { name: string; data: DueJob }) => Promise<boolean> = () => Promise.resolve(false);
  class Store {
    readonly on = (): void => undefined;
    readonly waitUntilReady = (): Promise<void> => Promise.resolve();
    readonly run = (): Promise<void> => Promise.resolve();

    constructor(_: string, asked: unknown) {
      if (typeof asked === 'function') take = asked as typeof take;
    }
  }
  const perform = ({ id }: DueJob): Promise<void> =>
    id === 'failing' ? Promise.reject(new Error('It failed')) : Promise.resolve();
  const listener = { ended: () => undefined, leftOver: () => undefined, atBound: () => undefined };
  const log = { error: () => undefined, warn: () => undefined };
  const store = { Queue: Store, Worker: Store, options: {} } as unknown as QueueStore;
  // Of two places, one organization has one.
  new LaneQueue({ name: 'lane', concurrency: 2, drainMs: 0 }, store, (_, job) => perform(job), listener, log);
  const job = (id: string) => ({ name: 'chores', data: { id, orgId: 'a' } });
  expect(await take(job('first'))).toBe(true);
  await expect(take(job('failing'))).rejects.toThrow('It failed');
  expect(await take(job('last'))).toBe(true);
});
