import { BatchLoader } from '#persistence';

/** A query that answers when the test says so. */
function pendingQueries() {
  const asked: string[][] = [];
  const answers: ((found?: Error) => void)[] = [];
  const loader = new BatchLoader((keys: readonly string[]) => {
    asked.push([...keys]);
    return new Promise<string[]>((resolve, reject) => {
      answers.push((error) => (error ? reject(error) : resolve(keys.map((key) => key.toUpperCase()))));
    });
  });
  return { asked, answers, loader };
}

const aTurn = () => new Promise((resolve) => setImmediate(resolve));

it('shares one query between callers that ask while another is in progress', async () => {
  const { asked, answers, loader } = pendingQueries();
  const first = loader.load('a');
  await aTurn();
  const [second, third] = [loader.load('b'), loader.load('c')];
  await aTurn();
  expect(asked).toEqual([['a']]);
  answers[0]?.();
  expect(await first).toBe('A');
  await aTurn();
  expect(asked).toEqual([['a'], ['b', 'c']]);
  answers[1]?.();
  expect(await Promise.all([second, third])).toEqual(['B', 'C']);
});

it('queries again for what it has found before', async () => {
  let count = 0;
  const loader = new BatchLoader((keys: readonly string[]) => Promise.resolve(keys.map(() => (count += 1))));
  expect([await loader.load('a'), await loader.load('a')]).toEqual([1, 2]);
});

it('continues after a query that failed', async () => {
  const { answers, loader } = pendingQueries();
  const failing = loader.load('a');
  await aTurn();
  const next = loader.load('b');
  answers[0]?.(new Error('lost'));
  await expect(failing).rejects.toThrow('lost');
  await aTurn();
  answers[1]?.();
  expect(await next).toBe('B');
});

it('does not wait for a query that hangs', async () => {
  const { answers, loader } = pendingQueries();
  const hanging = loader.load('a');
  await aTurn();
  const next = loader.load('b');
  while (answers.length < 2) await aTurn();
  answers[1]?.();
  expect(await next).toBe('B');
  answers[0]?.();
  expect(await hanging).toBe('A');
});
