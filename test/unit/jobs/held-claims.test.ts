import { HeldClaims } from '#jobs';

/** Each list of claims that was to be renewed. */
let renewed: string[][];
let valid: Set<string>;
let held: HeldClaims<string>;
beforeEach(() => {
  renewed = [];
  valid = new Set(['a', 'b']);
  held = new HeldClaims((claims) => {
    renewed.push([...claims]);
    return Promise.resolve(valid);
  });
});

/** Work on a claim, and whether it was told to stop. */
function work(claim: string): { isOver: () => boolean; end: () => Promise<void> } {
  const { promise, resolve } = Promise.withResolvers<void>();
  let signal: AbortSignal | undefined;
  const done = held.hold(claim, (over) => {
    signal = over;
    return promise;
  });
  const end = (): Promise<void> => {
    resolve();
    return done;
  };
  return { isOver: () => signal?.aborted === true, end };
}

it('are renewed together while their work continues, and nothing is renewed without work', async () => {
  await held.renew();
  expect(renewed).toEqual([]);
  const [a, b] = [work('a'), work('b')];
  await held.renew();
  expect(renewed).toEqual([['a', 'b']]);
  await a.end();
  await held.renew();
  expect(renewed).toEqual([['a', 'b'], ['b']]);
  await b.end();
  await held.renew();
  expect(renewed).toHaveLength(2);
});

it('end the work of one that is lost, and of no other', async () => {
  const [a, b] = [work('a'), work('b')];
  valid = new Set(['b']);
  await held.renew();
  expect([a.isOver(), b.isOver()]).toEqual([true, false]);
  await Promise.all([a.end(), b.end()]);
});

it('are not renewed after they may expire, while their work continues', async () => {
  const a = work('a');
  held.letExpire('a');
  await held.renew();
  expect([renewed, a.isOver()]).toEqual([[], false]);
  await a.end();
});
