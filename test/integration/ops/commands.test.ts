import { version } from '../../../src/platform/config/version.js';
import { Browser } from '../../../faults/page-client.js';
import { Mailbox } from '../../support/mailbox.js';
import { type Ops, refusalOf, startOps } from '../../support/ops.js';
import { type Service, startApp } from '../../support/start-app.js';

let service: Service;
let ops: Ops;
beforeAll(async () => {
  service = await startApp();
  ops = await startOps(service);
});
afterAll(async () => {
  await ops.close();
  await service.close();
});

const absent = '0'.repeat(32);
const password = 'some long words';

async function signIn(email: string): Promise<Browser> {
  await ops(`user create --email ${email} --password "${password}"`);
  const browser = new Browser(service.url);
  await browser.signIn(email, password);
  return browser;
}

/** @returns the mailed link that would complete it. */
async function changeOfAddress(browser: Browser): Promise<string> {
  const email = `${Math.random().toString(36).slice(2)}@tests.example`;
  await browser.submit(await browser.get('/account'), '/account/email', { email, password });
  return await new Mailbox(service.config.dataDir).link(email, /Confirm/);
}

describe('org create', () => {
  it('founds an organization with its built-in roles', async () => {
    const organization = await ops('org create --name "Lakeside Stays"');
    expect(organization).toMatchObject({ name: 'Lakeside Stays', slug: 'lakeside-stays', requireTwoFactor: false });
    const { key } = await ops(`api-key create --org ${organization.id} --name k --scopes members:read`);
    const { body } = await service.api.as(key).get('/roles');
    expect(body.data.map(({ name }: { name: string }) => name).sort()).toEqual(
      ['cleaner', 'coordinator', 'manager', 'owner', 'viewer'], // oxfmt-ignore
    );
  });

  it('selects another slug for a second organization of the same name', async () => {
    await ops('org create --name Twins');
    expect((await ops('org create --name Twins')).slug).toMatch(/^twins-[0-9a-f]{8}$/);
  });

  it('rejects a slug that is taken', async () => {
    await ops('org create --name One --slug taken');
    expect(await refusalOf(ops('org create --name Two --slug taken'))).toMatchObject({
      status: 409,
      code: 'SLUG_TAKEN',
    });
  });
});

describe('org list', () => {
  it('lists every organization with its slug, by name', async () => {
    const { id } = await ops('org create --name "Zebra Stays"');
    const all = await ops('org list');
    expect(all.at(-1)).toEqual({ id, name: 'Zebra Stays', slug: 'zebra-stays', createdAt: expect.any(String) });
    expect(all.length).toBeGreaterThan(1);
  });
});

describe('org update', () => {
  it('limits the lifetime of new keys, and removes the limit', async () => {
    const { id } = await ops('org create --name "Short Keys"');
    expect(await ops(`org update --org ${id as string} --max-key-days 90`)).toMatchObject({ maxKeyDays: 90 });
    const refusal = await refusalOf(
      ops(`api-key create --org ${id as string} --name k --scopes tasks:read --expires-at 2999-01-01T00:00:00Z`),
    );
    expect(refusal).toMatchObject({ status: 400, details: { issues: [{ path: ['--expires-at'] }] } });
    expect(await ops(`org update --org ${id as string} --max-key-days none`)).toMatchObject({ maxKeyDays: null });
    expect((await refusalOf(ops(`org update --org ${id as string} --max-key-days 3651`))).status).toBe(400);
  });

  it('sets the second factor and accepts a slug for the organization', async () => {
    await ops('org create --name Strict --slug strict');
    expect(await ops('org update --org strict --require-two-factor true')).toMatchObject({
      name: 'Strict',
      requireTwoFactor: true,
    });
    expect(await ops('org update --org strict --name Lenient')).toMatchObject({ requireTwoFactor: true, version: 3 });
  });

  it('rejects an update without a change', async () => {
    const { id, version } = await ops('org create --name Same --slug same');
    expect(await refusalOf(ops('org update --org same'))).toMatchObject({
      status: 400,
      details: { issues: [{ message: 'Pass at least one setting to change; help lists the flags.' }] },
    });
    expect(await ops(`org update --org ${id} --name Other`)).toMatchObject({ version: version + 1 });
  });

  it('rejects an unknown organization', async () => {
    expect(await refusalOf(ops('org update --org nowhere --name x'))).toMatchObject({ status: 404 });
    expect(await refusalOf(ops(`org update --org org_${absent} --name x`))).toMatchObject({ status: 404 });
  });
});

describe('user enroll-totp', () => {
  it('enrolls an authenticator, once, and prints what the person needs', async () => {
    const user = await ops('user create --email totp@example.com --password "some long words"');
    const { userId, secret, recoveryCodes, ...rest } = await ops('user enroll-totp --email totp@example.com');
    expect({ userId, rest }).toEqual({ userId: user.id, rest: {} });
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(new Set(recoveryCodes).size).toBe(10);
    expect(await refusalOf(ops('user enroll-totp --email totp@example.com'))).toMatchObject({ status: 409 });
    expect(await refusalOf(ops('user enroll-totp --email nobody@example.com'))).toMatchObject({ status: 404 });
  });

  it('ends what was started with only a password', async () => {
    const thief = await signIn('stolen@example.com');
    const confirmation = await changeOfAddress(thief);
    await ops('user enroll-totp --email stolen@example.com');
    expect((await thief.get('/account')).path).toContain('/sign-in');
    expect((await new Browser(service.url).get(confirmation)).status).toBe(404);
  });
});

describe('user end-sessions', () => {
  it('ends the sessions of a person, and of nobody else', async () => {
    const [lost, other] = [await signIn('lost@example.com'), await signIn('other@example.com')];
    expect((await lost.get('/account')).path).toBe('/account');
    const confirmation = await changeOfAddress(lost);
    expect(await ops('user end-sessions --email lost@example.com')).toMatchObject({ ended: 1 });
    expect((await new Browser(service.url).get(confirmation)).status).toBe(404);
    expect((await lost.get('/account')).path).toContain('/sign-in');
    expect((await other.get('/account')).path).toBe('/account');
    expect(await refusalOf(ops('user end-sessions --email nobody@example.com'))).toMatchObject({ status: 404 });
  });
});

describe('user create', () => {
  it('creates an account and never prints the password', async () => {
    const user = await ops('user create --email eva@example.com --password "some long words" --name Eva');
    expect(user).toEqual({
      id: expect.stringMatching(/^user_[0-9a-f]{32}$/),
      email: 'eva@example.com',
      name: 'Eva',
      createdAt: expect.any(String),
    });
  });

  it('rejects an address that has an account, in whatever case', async () => {
    await ops('user create --email twice@example.com --password "some long words"');
    const again = ops('user create --email TWICE@example.com --password "some long words"');
    expect(await refusalOf(again)).toMatchObject({ status: 409, code: 'USER_EXISTS' });
  });
});

describe('members and roles', () => {
  let org: string;
  beforeAll(async () => {
    org = (await ops('org create --name Members')).id;
    for (const name of ['ana', 'ben', 'cid']) {
      await ops(`user create --email ${name}@example.com --password "some long words" --name ${name}`);
    }
  });

  it('adds, lists, changes and removes a member, and keeps the last owner', async () => {
    const ana = await ops(`member add --org ${org} --email Ana@example.com --role owner`);
    expect(await ops(`member list --org ${org}`)).toEqual([ana]);
    expect(ana).toMatchObject({ name: 'ana', email: 'ana@example.com', status: 'active', propertyIds: null });
    expect(await refusalOf(ops(`member remove --id ${ana.id}`))).toMatchObject({ code: 'LAST_OWNER' });
    expect(await refusalOf(ops(`member update --id ${ana.id} --role viewer`))).toMatchObject({ code: 'LAST_OWNER' });
    expect(await refusalOf(ops(`member update --id ${ana.id} --status suspended`))).toMatchObject({
      code: 'LAST_OWNER',
    });

    const ben = await ops(`member add --org ${org} --email ben@example.com --role owner`);
    expect(await ops(`member update --id ${ana.id} --status suspended`)).toMatchObject({ status: 'suspended' });
    expect(await ops(`member update --id ${ana.id} --status active`)).toMatchObject({ status: 'active' });
    expect(await ops(`member remove --id ${ben.id}`)).toEqual({ id: ben.id, deleted: true, revokedKeyIds: [] });
    expect(await refusalOf(ops(`member update --id ${ben.id} --role viewer`))).toMatchObject({
      code: 'MEMBER_REMOVED',
    });
  });

  it('accepts a custom role, by name or id, and limits to properties', async () => {
    const role = await ops(`role create --org ${org} --name "Night desk" --permissions tasks:read,tasks:write`);
    const house = await ops(`property create --org ${org} --name House`);
    const cid = await ops(
      `member add --org ${org} --email cid@example.com --role "Night desk" --properties ${house.id}`,
    );
    expect(cid).toMatchObject({ roleId: role.id, propertyIds: [house.id] });
    expect(await ops(`member update --id ${cid.id} --properties all`)).toMatchObject({ propertyIds: null });
    expect(await ops(`member update --id ${cid.id} --properties ${house.id} --role viewer`)).toMatchObject({
      propertyIds: [house.id],
    });
    expect((await ops(`member update --id ${cid.id} --role ${role.id}`)).roleId).toBe(role.id);
  });

  it('names the account, role, property or member that does not exist', async () => {
    const add = `member add --org ${org} --role viewer --email`;
    expect((await refusalOf(ops(`${add} nobody@example.com`))).message).toContain('user create');
    await ops('user create --email dan@example.com --password "some long words"');
    expect(await refusalOf(ops(`${add} dan@example.com --properties property_${absent}`))).toMatchObject({
      status: 404,
    });
    const wrongRole = `member add --org ${org} --email dan@example.com --role janitor`;
    expect(await refusalOf(ops(wrongRole))).toMatchObject({ status: 404 });
    expect(await refusalOf(ops(`member remove --id member_${absent}`))).toMatchObject({ status: 404 });
  });

  it('rejects permissions that do not exist', async () => {
    const refusal = await refusalOf(ops(`role create --org ${org} --name x --permissions tasks:fly`));
    expect(refusal.details.issues).toEqual([
      { path: ['--permissions'], message: expect.stringContaining('tasks:read') },
    ]);
  });
});

describe('property create', () => {
  it("uses the organization's time zone by default", async () => {
    const { id } = await ops('org create --name Zones');
    expect(await ops(`property create --org ${id} --name A`)).toMatchObject({ timezone: 'UTC' });
    expect(await ops(`property create --org ${id} --name B --timezone Asia/Tokyo`)).toMatchObject({
      timezone: 'Asia/Tokyo',
    });
  });
});

describe('api keys', () => {
  let org: string;
  beforeAll(async () => {
    org = (await ops('org create --name Keys')).id;
  });

  it('creates a key that works immediately, and revokes it', async () => {
    const made = await ops(`api-key create --org ${org} --name all --scopes *`);
    const api = service.api.as(made.key);
    expect((await api.post('/tasks', { name: 'x' })).status).toBe(201);
    expect(made.scopes).toEqual((await service.api.get('/me')).body.data.scopes);
    expect(await ops(`api-key revoke --id ${made.id}`)).toMatchObject({ id: made.id, status: 'revoked' });
    expect((await api.get('/tasks')).status).toBe(401);
  });

  it('sets the requested limits', async () => {
    const house = await ops(`property create --org ${org} --name House`);
    const made = await ops(
      `api-key create --org ${org} --name limited --scopes tasks:read,properties:read --properties ${house.id} --rate-per-minute 6000 --expires-at 2100-01-01T00:00:00Z`,
    );
    expect(made).toMatchObject({
      scopes: ['properties:read', 'tasks:read'],
      propertyIds: [house.id],
      ratePerMinute: 6_000,
      expiresAt: '2100-01-01T00:00:00.000Z',
    });
    const { headers, body } = await service.api.as(made.key).get('/properties');
    expect(headers.get('x-ratelimit-limit')).toBe('6000');
    expect(body.data).toHaveLength(1);
  });

  it('lists every key of the organization, and never a key itself', async () => {
    const { id } = await ops('org create --name Many');
    const names = Array.from({ length: 101 }, (_, index) => `key-${index}`);
    for (const name of names) await ops(`api-key create --org ${id} --name ${name} --scopes tasks:read`);
    const listed = (await ops(`api-key list --org ${id}`)) as { name: string; key?: string; hash?: string }[];
    expect(listed.map(({ name }) => name)).toEqual(names.reverse());
    expect(listed.every((item) => !('key' in item) && !('hash' in item))).toBe(true);
  });

  it('names the flag of an unknown scope', async () => {
    const refusal = await refusalOf(ops(`api-key create --org ${org} --name x --scopes tasks:fly`));
    expect(refusal).toMatchObject({ status: 400, details: { issues: [{ path: ['--scopes'] }] } });
  });
});

describe('typing errors', () => {
  const issuesOf = async (command: string) => (await refusalOf(ops(command))).details.issues;

  it('are reported for every flag that is unknown, missing, empty, repeated or out of range', async () => {
    expect(await issuesOf('api-key create --nam x --name --rate-per-minute 1 --org a --org b')).toEqual([
      { path: ['--nam'], message: expect.stringMatching(/^Unknown flag; did you mean --name\?.*--rate-per-minute/) },
      { path: ['--name'], message: expect.stringContaining('<value>') },
      { path: ['--org'], message: 'Pass this flag only once.' },
      { path: ['--scopes'], message: expect.stringMatching(/^This field is required/) },
      { path: ['--rate-per-minute'], message: 'Pass a whole number from 1000 to 60000.' },
    ]);
  });

  it('include a word without a flag, while --flag=value is valid', async () => {
    expect(await ops('org create --name=Equal')).toMatchObject({ name: 'Equal' });
    expect(await issuesOf('org create --name Two words')).toMatchObject([{ path: ['words'] }]);
  });

  it('lead to suggestions of similar commands', async () => {
    expect(await issuesOf('org make')).toEqual([
      {
        path: ['command'],
        message:
          'Unknown command "org make". The commands are org list, org create, org update, org export, org import, org close, org reopen.',
      },
    ]);
  });

  it('in an id are reported as an unknown id', async () => {
    expect(await refusalOf(ops('member remove --id 12'))).toMatchObject({ status: 404 });
  });
});

describe('help', () => {
  it('describes every command without the service', async () => {
    const explained = await ops('help');
    expect(Object.keys(explained)).toContain('member update');
    expect(explained['org create']).toEqual({
      description: expect.any(String),
      flags: { '--name': expect.any(String), '--slug': expect.stringMatching(/^\(optional\)/) },
    });
    expect(await ops('')).toEqual(explained);
  });

  it('describes one command or one kind of commands with --help, and prints the version', async () => {
    const explained = await ops('help');
    expect(await ops('org create --help')).toEqual({ 'org create': explained['org create'] });
    expect(Object.keys(await ops('member --help'))).toEqual([
      'member list',
      'member add',
      'member update',
      'member remove',
    ]);
    expect(await ops('--help')).toEqual(explained);
    expect(await ops('--version')).toBe(version);
  });
});
