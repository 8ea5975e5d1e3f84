import { clock } from '../../../support/clock.js';
import { type DoorReply, doorNames } from '../../../support/doors.js';
import { issuePaths } from '../../../support/envelope.js';
import { keyWith } from '../../../support/factories.js';
import { until } from '../../../support/feed.js';
import { mcpOf } from '../../../support/mcp.js';
import { type Entry, startEntry } from '../../../support/regions.js';
import { startTenant, type Tenant } from '../../../support/tenant.js';

let tenant: Tenant;
let entry: Entry;
beforeAll(async () => {
  tenant = await startTenant({ TRUSTED_PROXIES: '127.0.0.1,::1' });
  entry = await startEntry({ REGION_URLS: `us=${tenant.service.url}` });
});
afterAll(async () => {
  await entry.close();
  await tenant.close();
});
afterEach(() => clock.restore());

const from = (address: string) => ({ 'x-forwarded-for': address });
const codeOf = ({ status, body }: { status: number; body?: DoorReply['body'] }): string =>
  `${status} ${(body?.error?.code as string | undefined) ?? 'ok'}`;

describe('a key that names addresses', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7', '203.0.113.8'],
    ['203.0.113.0/24', '203.0.113.255', '203.0.114.0'],
    ['203.0.113.7', '::ffff:203.0.113.7', '::ffff:203.0.113.8'],
    ['::ffff:203.0.113.0/120', '203.0.113.9', '203.0.114.9'],
    ['2001:db8::/32', '2001:db8:1::1', '2001:db9::1'],
    ['2001:DB8:0::1', '2001:db8::1', '2001:db8::2'],
    ['::/0', '2001:db8::1', '203.0.113.7'],
    ['0.0.0.0/0', '203.0.113.7', '2001:db8::1'],
  ])('that are %s works from %s and not from %s, over REST and MCP', async (range, inside, outside) => {
    const { key, api } = await keyWith(tenant.api, { allowedAddresses: [range] });
    const overMcp = async (address: string) => codeOf(await mcp(key).call('getMe', {}, { headers: from(address) }));
    expect([codeOf(await api.get('/me', from(inside))), await overMcp(inside)]).toEqual(['200 ok', '200 ok']);
    const refused = await api.get('/me', from(outside));
    expect([codeOf(refused), await overMcp(outside)]).toEqual(Array(2).fill('403 ADDRESS_NOT_ALLOWED'));
  });

  const mcp = (key: string, url = tenant.service.url) => mcpOf(url, key);

  it('is rejected before its permissions and the route are checked, and its requests count', async () => {
    const { api } = await keyWith(tenant.api, { allowedAddresses: ['203.0.113.7'], scopes: ['tasks:read'] });
    clock.set('2030-05-05T12:00:00Z');
    const replies = [await api.get('/properties'), await api.get('/nowhere'), await api.get('/tasks')];
    expect(replies.map(codeOf)).toEqual(Array(3).fill('403 ADDRESS_NOT_ALLOWED'));
    const counted = replies.map(({ headers }) => Number(headers.get('x-ratelimit-remaining')));
    expect(counted).toEqual([59_999, 59_998, 59_997]);
    expect(replies[0]?.body.error.type).toBe('authorization_error');
  });

  it("works through the global entry from the client's address, which the client cannot choose", async () => {
    const { key } = await keyWith(tenant.api, { allowedAddresses: ['127.0.0.0/8', '::1'] });
    expect((await mcp(key, entry.url).call('getMe')).status).toBe(200);
    const elsewhere = await keyWith(tenant.api, { allowedAddresses: ['203.0.113.7'] });
    const reply = await mcp(elsewhere.key, entry.url).call('getMe', {}, { headers: from('203.0.113.7') });
    expect(codeOf(reply)).toBe('403 ADDRESS_NOT_ALLOWED');
  });
});

describe.each(doorNames)('over %s', (door) => {
  const ask = (operation: string, input: object, key = tenant.key) => tenant.doors[door].as(key).ask(operation, input);
  const create = (wishes: object, key?: string) =>
    ask('createApiKey', { name: 'k', scopes: ['api-keys:manage', 'api-keys:read'], ...wishes }, key);

  it('createApiKey normalizes the addresses, and rotateApiKey keeps them', async () => {
    const { body } = await create({ allowedAddresses: ['::ffff:10.0.0.0/104', '10.0.0.0/8', '2001:DB8:0::1'] });
    expect(body.data.allowedAddresses).toEqual(['10.0.0.0/8', '2001:db8::1']);
    const rotated = await ask('rotateApiKey', { keyId: body.data.id });
    expect(rotated.body.data.allowedAddresses).toEqual(['10.0.0.0/8', '2001:db8::1']);
    expect((await create({ allowedAddresses: null })).body.data.allowedAddresses).toBeNull();
  });

  it.each([
    '10.0.0.256',
    '10.0.0.0/33',
    '010.0.0.1',
    '0x7f.1',
    'example.com',
    '2001:db8::/129',
    'fe80::1%eth0',
    '1.2.3.4/',
  ])('createApiKey rejects %s as an address', async (text) => {
    const reply = await create({ allowedAddresses: ['10.0.0.1', text] });
    expect([reply.status, reply.body.error.details.issues[0].path]).toEqual([400, ['allowedAddresses', 1]]);
  });

  it('createApiKey accepts at most 50 addresses, and no empty list', async () => {
    const many = Array.from({ length: 51 }, (_, index) => `10.0.0.${index}`);
    for (const allowedAddresses of [many, []]) {
      const reply = await create({ allowedAddresses });
      expect([reply.status, issuePaths(reply)]).toEqual([400, ['allowedAddresses']]);
    }
  });

  it('a key that names addresses cannot create or rotate a key that works elsewhere', async () => {
    // Test requests come from the proxy's own address unless they name another.
    const { key } = (await create({ allowedAddresses: ['127.0.0.0/8', '::1'] })).body.data;
    expect((await create({}, key as string)).body.data.allowedAddresses).toEqual(['127.0.0.0/8', '::1']);
    expect((await create({ allowedAddresses: ['127.0.0.1'] }, key as string)).status).toBe(201);
    for (const range of ['127.0.0.0/7', '10.0.0.1', '::/0'])
      expect((await create({ allowedAddresses: [range] }, key as string)).status).toBe(403);
    const free = (await create({})).body.data;
    expect((await ask('rotateApiKey', { keyId: free.id }, key as string)).status).toBe(403);
  });

  it('maxKeyDays is the maximum and the default lifetime of new keys, and does not change existing ones', async () => {
    clock.set('2030-05-05T12:00:00Z');
    const before = (await create({ expiresAt: '2031-01-01T00:00:00Z' })).body.data;
    const forever = (await create({})).body.data;
    expect((await ask('updateOrganization', { maxKeyDays: 30 })).body.data.maxKeyDays).toBe(30);
    const latest = '2030-06-04T12:00:00.000Z';
    for (const wishes of [{}, { expiresAt: null }, { expiresAt: latest }])
      expect((await create(wishes)).body.data.expiresAt).toBe(latest);
    const tooLate = await create({ expiresAt: '2030-06-04T12:00:00.001Z' });
    expect([tooLate.status, issuePaths(tooLate)]).toEqual([400, ['expiresAt']]);
    expect((await create({ expiresAt: '2030-05-06T00:00:00Z' })).body.data.expiresAt).toBe('2030-05-06T00:00:00.000Z');
    expect((await ask('getApiKey', { keyId: before.id })).body.data.expiresAt).toBe('2031-01-01T00:00:00.000Z');
    for (const { id } of [before, forever])
      expect((await ask('rotateApiKey', { keyId: id })).body.data.expiresAt).toBe(latest);
    expect((await ask('updateOrganization', { maxKeyDays: null })).body.data.maxKeyDays).toBeNull();
    expect((await create({})).body.data.expiresAt).toBeNull();
  });

  it.each([0, 3_651, 1.5, '30'])('updateOrganization rejects %j as maxKeyDays', async (maxKeyDays) => {
    const reply = await ask('updateOrganization', { maxKeyDays });
    expect([reply.status, issuePaths(reply)]).toEqual([400, ['maxKeyDays']]);
  });
});

it('the last use of a key shows its address and client, and events do not', async () => {
  const { id, api } = await keyWith(tenant.api);
  await api.get('/me', { ...from('::ffff:203.0.113.9'), 'user-agent': `Board/1.0 ${'x'.repeat(300)}` });
  const shown = async () => (await tenant.api.get(`/api-keys/${id}`)).body.data;
  const { lastUsedFrom, lastUsedAgent } = await until(shown, ({ lastUsedAt }) => lastUsedAt !== null);
  expect([lastUsedFrom, lastUsedAgent]).toEqual(['203.0.113.9', `Board/1.0 ${'x'.repeat(190)}`]);
  await tenant.api.post(`/api-keys/${id}/revoke`);
  const { data } = (await tenant.api.get(`/audit-entries?targetId=${id}`)).body;
  expect(JSON.stringify(data)).not.toContain('203.0.113.9');
});
