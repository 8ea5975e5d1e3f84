import { AsyncLocalStorage } from 'node:async_hooks';
import { DueTimer } from '#jobs';

describe('a timer for due work', () => {
  it('keeps nothing of the request that wakes it', async () => {
    const request = new AsyncLocalStorage<string>();
    let runs = 0;
    const seen = new Promise<(string | undefined)[]>((resolve) => {
      const found: (string | undefined)[] = [];
      const timer: DueTimer = new DueTimer(
        'test',
        60_000,
        async () => {
          found.push(request.getStore());
          runs += 1;
          if (runs === 1) return timer.wake();
          await Promise.resolve();
          resolve(found);
          void timer.stop();
        },
        { error: () => undefined },
      );
      timer.start();
      request.run('a request', () => timer.wake());
    });
    expect(await seen).toEqual([undefined, undefined]);
  });
});
