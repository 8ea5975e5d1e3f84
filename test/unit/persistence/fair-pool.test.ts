import type { Pool, PoolClient } from 'pg';
import { FairPool } from '../../../libs/persistence/fair-pool.js';

type Lent = Pick<PoolClient, 'release'>;

/** The part of a `pg` pool that is used. */
class FakePool {
  readonly options: { max: number; connectionTimeoutMillis: number };
  readonly released: unknown[] = [];
  connecting = (): Promise<void> => Promise.resolve();

  constructor(max: number, connectionTimeoutMillis = 10_000) {
    this.options = { max, connectionTimeoutMillis };
  }

  async connect(): Promise<Lent> {
    await this.connecting();
    return { release: (error) => void this.released.push(error) };
  }
}

const fair = (pool: FakePool, mostOfOne: number): FairPool => new FairPool(pool as unknown as Pool, mostOfOne);

it('lends an organization a limited number, and another does not wait for it', async () => {
  const pool = fair(new FakePool(4), 2);
  const lent = [await pool.connect('a'), await pool.connect('a')];
  let isLent = false;
  const third = pool.connect('a').then((client) => ((isLent = true), client));
  await pool.connect('b');
  expect([isLent, pool.waiting]).toEqual([false, 1]);
  lent[0]?.release();
  await third;
  expect(pool.waiting).toBe(0);
});

it('lends in turn if all are lent', async () => {
  const pool = fair(new FakePool(1), 1);
  const first = await pool.connect('a');
  const order: string[] = [];
  const next = (owner: string): Promise<void> =>
    pool.connect(owner).then((client) => {
      order.push(owner);
      client.release();
    });
  const all = Promise.all([next('a'), next('a'), next('b'), next('')]);
  first.release();
  await all;
  expect(order).toEqual(['a', 'b', '', 'a']);
});

it('rejects a caller that has waited too long, which then no longer waits', async () => {
  const pool = fair(new FakePool(1, 20), 1);
  const first = await pool.connect('a');
  await expect(pool.connect('b')).rejects.toThrow('No response within 20 ms');
  expect(pool.waiting).toBe(0);
  first.release();
  (await pool.connect('b')).release();
});

it('rejects if a connection is not established in time, and returns it when it is', async () => {
  const slow = new FakePool(1, 20);
  let make: () => void = () => undefined;
  slow.connecting = () => new Promise((resolve) => (make = resolve));
  const pool = fair(slow, 1);
  await expect(pool.connect('a')).rejects.toThrow('timeout exceeded when trying to connect');
  const late = make;
  slow.connecting = () => Promise.resolve();
  late();
  await pool.connect('b');
  // toEqual treats an empty list like one of undefined.
  expect(slow.released).toHaveLength(1);
});

it('lends a failed connection once it can be established', async () => {
  const broken = new FakePool(1);
  broken.connecting = () => Promise.reject(new Error('ECONNREFUSED'));
  const pool = fair(broken, 1);
  await expect(pool.connect('a')).rejects.toThrow('ECONNREFUSED');
  broken.connecting = () => Promise.resolve();
  const client = await pool.connect('a');
  const reason = new Error('broken');
  client.release(reason);
  expect(broken.released).toEqual([reason]);
});
