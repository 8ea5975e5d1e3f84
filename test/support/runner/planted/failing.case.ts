/** One of each that must not pass; runner.test.ts runs this file and counts. */
describe('what must not pass', () => {
  it('a wrong expectation', () => expect(1).toBe(2));
  it('a list with an element too many that is undefined', () =>
    expect({ list: [1, undefined] }).toEqual({ list: [1] }));
  it('a promise that is rejected', () => Promise.reject(new Error('planted')));
  it('a test that never ends', () => new Promise(() => undefined), 50);
  it('an error that nobody catches', async () => {
    setTimeout(() => {
      throw new Error('planted');
    });
    await new Promise((resolve) => setTimeout(resolve, 20));
  });
  it('a rejection that nobody handles', async () => {
    void Promise.reject(new Error('planted'));
    await new Promise((resolve) => setTimeout(resolve, 20));
  });

  describe('after a hook that fails', () => {
    beforeAll(() => {
      throw new Error('planted');
    });
    it('no test passes', () => undefined);
  });
});

it('a right expectation passes', () => expect(1).toBe(1));
