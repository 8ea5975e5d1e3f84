import { SharedLookups } from '../../../../src/features/reservations/ical/shared-lookups.js';

/** Look-ups that end when the test releases them, each with its number. */
function world() {
  const lookups = new SharedLookups<number>();
  const ends: ((error?: Error) => void)[] = [];
  const share = (key: string): Promise<number> =>
    lookups.share(key, () => {
      const { promise, resolve, reject } = Promise.withResolvers<number>();
      const number = ends.push((error) => (error ? reject(error) : resolve(number)));
      return promise;
    });
  return { share, ends };
}

const soon = () => new Promise((resolve) => setImmediate(resolve));

it('runs one look-up at a time for a key, and uses none that is older than the caller', async () => {
  const { share, ends } = world();
  const asked = ['a', 'a', 'a', 'b'].map(share);
  expect(ends).toHaveLength(2);
  ends[0]?.();
  await soon();
  expect(ends).toHaveLength(3);
  const late = share('a');
  ends[1]?.();
  ends[2]?.();
  expect(await Promise.all(asked)).toEqual([1, 3, 3, 2]);
  await soon();
  ends[3]?.();
  expect(await late).toBe(4);
});

it('looks up again after a failure', async () => {
  const { share, ends } = world();
  const [failing, waiting] = [share('a'), share('a')];
  ends[0]?.(new Error('No connection'));
  await expect(failing).rejects.toThrow('No connection');
  await soon();
  ends[1]?.();
  expect(await waiting).toBe(2);
  const last = share('a');
  ends[2]?.();
  expect(await last).toBe(3);
});
