import { openTarget, type Target } from '../support/target.js';

let target: Target;
beforeAll(async () => {
  target = await openTarget();
});
afterAll(() => target.close());

describe('VER', () => {
  it('serves operations under /api/v1, and nowhere else', async () => {
    const at = async (path: string): Promise<number> => {
      const headers = { authorization: `Bearer ${target.api.key}` };
      return (await fetch(`${target.url}${path}`, { headers })).status;
    };
    expect(await at('/api/v1/tasks')).toBe(200);
    expect([await at('/tasks'), await at('/api/tasks'), await at('/api/v2/tasks')]).toEqual([404, 404, 404]);
  });
});
