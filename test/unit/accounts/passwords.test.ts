import { hashPassword, verifyPassword } from '../../../src/tenancy/people/passwords.js';

beforeAll(() => {
  process.env.ARGON2 = 'real';
});
afterAll(() => {
  delete process.env.ARGON2;
});

describe('passwords', () => {
  it('are kept as argon2id with 19 MiB and two passes', async () => {
    expect(await hashPassword('correct horse')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  it('match only themselves, and nothing matches without an account', async () => {
    const hashed = await hashPassword('correct horse');
    expect(await verifyPassword(hashed, 'correct horse')).toBe(true);
    expect(await verifyPassword(hashed, 'Correct horse')).toBe(false);
    expect(await verifyPassword(undefined, 'correct horse')).toBe(false);
    expect(await verifyPassword(null, 'correct horse')).toBe(false);
  });

  it('are rejected with 503 when too many wait, and accepted again afterwards', async () => {
    const results = await Promise.allSettled(Array.from({ length: 120 }, () => verifyPassword(undefined, 'x')));
    const refused = results.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]?.reason).toMatchObject({ status: 503, headers: { 'Retry-After': '2' } });
    expect(await verifyPassword(undefined, 'x')).toBe(false);
  });
});
