import type { Reply } from '../support/api.js';
import { expectEnvelope, refusals } from '../support/envelope.js';
import type { ToolReply } from '../support/mcp.js';
import { type Client, codeFor, exchange, newProof, refresh, registerClient } from '../support/oauth.js';
import { type OAuthWorld, openWorld } from '../support/oauth-world.js';
import { serviceClock } from '../support/service-clock.js';
import { onlyHere, TARGET_OPS, TARGET_URL, withOps } from '../support/target.js';

const dayMs = 86_400_000;
const there = withOps('people and roles are changed');

let world: OAuthWorld;
beforeAll(async () => {
  if (!TARGET_URL || TARGET_OPS) world = await openWorld();
});
afterAll(() => world?.close());
afterEach(() => serviceClock.restore());

const { slackMs } = serviceClock;
const refreshed = (client: Client, token: string | undefined) => refresh(world.service, client, token ?? '');
/** The tasks, over REST and with the tool. */
const bothDoors = async (token: string): Promise<(Reply | ToolReply)[]> => [
  await world.rest(token).get('/tasks'),
  await world.mcp(token).call('listTasks'),
];
const statusOf = async (token: string): Promise<number> => (await world.rest(token).get('/tasks')).status;

describe('LIF', () => {
  there('makes a code unusable after ten minutes', async () => {
    const [person, client, orgId] = [await world.person(), await registerClient(world.service), world.lakeside];
    serviceClock.freeze();
    const [early, late] = [newProof(), newProof()];
    const first = await codeFor(world.service, client, early, { ...person, orgId });
    await serviceClock.advance(600_000 - slackMs);
    expect((await exchange(world.service, client, first, early)).status).toBe(200);
    const second = await codeFor(world.service, client, late, { ...person, orgId });
    await serviceClock.advance(600_000 + slackMs);
    expect(await exchange(world.service, client, second, late)).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    });
  });

  there('expires an access token after one hour', async () => {
    const person = await world.person();
    serviceClock.freeze();
    const { access_token: token, expires_in: seconds } = await world.tokensOf(person);
    expect(seconds).toBe(3_600);
    await serviceClock.advance(3_600_000 - slackMs);
    expect(await statusOf(token)).toBe(200);
    await serviceClock.advance(2 * slackMs);
    const { status, headers, body } = await world.rest(token).get('/tasks');
    expect([status, body.error.type, body.error.code]).toEqual([401, 'authentication_error', 'UNAUTHORIZED']);
    expect(headers.get('www-authenticate')).toContain('error="invalid_token"');
    expect(headers.has('x-ratelimit-limit')).toBe(false);
    expectEnvelope(await world.mcp(token).call('listTasks'), refusals.unauthorized);
  });

  there('expires a refresh token after thirty days', async () => {
    const person = await world.person();
    serviceClock.freeze();
    const [early, late] = [await world.tokensOf(person), await world.tokensOf(person)];
    await serviceClock.advance(30 * dayMs - 2 * slackMs);
    const { status, body } = await refreshed(early.client, early.refresh_token);
    expect(status).toBe(200);
    await serviceClock.advance(4 * slackMs);
    expect(await refreshed(late.client, late.refresh_token)).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    });
    await serviceClock.advance(29 * dayMs);
    expect((await refreshed(early.client, body.refresh_token)).status).toBe(200);
  });

  there('replaces the approval and its tokens when consent is given again', async () => {
    const person = await world.person();
    await world.join(person, world.alpine);
    const first = await world.tokensOf(person);
    const there = await world.tokensOf(person, { orgId: world.alpine, client: first.client });
    expect(await statusOf(first.access_token)).toBe(200);
    const second = await world.tokensOf(person, { client: first.client });
    for (const reply of await bothDoors(first.access_token)) expectEnvelope(reply, refusals.unauthorized);
    expect(await statusOf(there.access_token)).toBe(200);
    expect(await refreshed(first.client, first.refresh_token)).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    });
    expect(await statusOf(second.access_token)).toBe(200);
    expect((await refreshed(second.client, second.refresh_token)).status).toBe(200);
  });

  there('follows the role at the next request, and rejects a removed member with 403', async () => {
    const person = await world.person();
    const { access_token: token } = await world.tokensOf(person);
    expect((await world.rest(token).post('/tasks', { name: 'Linen' })).status).toBe(201);
    await world.ops(`member update --id ${person.memberId} --role viewer`);
    expect((await world.rest(token).post('/tasks', { name: 'Linen' })).status).toBe(403);
    expect(await statusOf(token)).toBe(200);
    await world.ops(`member remove --id ${person.memberId}`);
    const replies = await bothDoors(token);
    // A tool's error is a result.
    expect(replies.map(({ status }) => status)).toEqual([403, 200]);
    for (const { headers, body } of replies) {
      expect(body.error.type).toBe('authorization_error');
      expect(Number(headers.get('x-ratelimit-remaining'))).toBeGreaterThan(0);
    }
    const me = await world.rest(token).get('/me');
    expect([me.status, me.body.data.permissions]).toEqual([200, []]);
  });

  there('gives a suspended member nothing until they are reinstated', async () => {
    const person = await world.person();
    const { access_token: token } = await world.tokensOf(person);
    await world.ops(`member update --id ${person.memberId} --status suspended`);
    expect(await statusOf(token)).toBe(403);
    await world.ops(`member update --id ${person.memberId} --status active`);
    expect(await statusOf(token)).toBe(200);
  });

  there('rejects everything while a second factor is missing, and works again once it is enrolled', async () => {
    const strict = (await world.ops('org create --name Strict')).id as string;
    const person = await world.person('manager', strict);
    const { access_token: token } = await world.tokensOf(person, { orgId: strict });
    expect(await statusOf(token)).toBe(200);
    await world.ops(`org update --org ${strict} --require-two-factor true`);
    const refused = {
      type: 'authorization_error',
      code: 'TWO_FACTOR_REQUIRED',
      details: { code: 'TWO_FACTOR_REQUIRED', orgId: strict },
    };
    for (const path of ['/tasks', '/me', '/nowhere']) {
      const { status, headers, body } = await world.rest(token).get(path);
      expect([status, body.error]).toEqual([403, expect.objectContaining(refused)]);
      expect(headers.get('x-ratelimit-limit')).toBe('1000');
    }
    const tool = await world.mcp(token).call('listTasks');
    expect([tool.status, tool.body.error]).toEqual([403, expect.objectContaining(refused)]);
    await world.ops(`user enroll-totp --email ${person.email}`);
    expect(await statusOf(token)).toBe(200);
    expect((await world.mcp(token).call('listTasks')).isError).toBe(false);
  });

  there('ends the whole authorization when a used refresh token is sent again, and no other', async () => {
    const person = await world.person();
    await world.join(person, world.alpine);
    const there = await world.tokensOf(person, { orgId: world.alpine });
    const first = await world.tokensOf(person, { client: there.client });
    serviceClock.freeze();
    const second = (await refreshed(first.client, first.refresh_token)).body;
    await serviceClock.advance(11_000);
    expect(await refreshed(first.client, first.refresh_token)).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant', meta: { requestId: expect.any(String) } },
    });
    expect((await refreshed(first.client, second.refresh_token)).body.error).toBe('invalid_grant');
    expect(await statusOf(second.access_token)).toBe(401);
    expect(await statusOf(first.access_token)).toBe(401);
    expect(await statusOf(there.access_token)).toBe(200);
    expect((await refreshed(there.client, there.refresh_token)).status).toBe(200);
  });

  there('serves an immediate retry of a refresh without a penalty', async () => {
    const { client, refresh_token: token } = await world.tokensOf(await world.person());
    const first = await refreshed(client, token);
    const again = await refreshed(client, token);
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.body.refresh_token).toBe(first.body.refresh_token);
    expect(await statusOf(first.body.access_token)).toBe(200);
    expect(await statusOf(again.body.access_token)).toBe(200);
    const next = await refreshed(client, first.body.refresh_token);
    expect(next.status).toBe(200);
    expect(next.body.refresh_token).not.toBe(first.body.refresh_token);
    // Its successor has been used by now, so this is not a retry any more.
    expect((await refreshed(client, token)).body.error).toBe('invalid_grant');
  });
});

describe('TOK', () => {
  there('lets a token do only what was granted and the person may do', async () => {
    const cleaner = await world.person('cleaner');
    const { access_token: token } = await world.tokensOf(cleaner, { scopes: ['tasks:read', 'members:read'] });
    const { data } = (await world.rest(token).get('/me')).body;
    expect(data).toMatchObject({ scopes: ['members:read', 'tasks:read'], permissions: ['tasks:read'] });
    const mcp = world.mcp(token);
    expect((await mcp.call('getMe')).body.data).toEqual({ ...data, now: expect.any(String) });
    for (const { body } of await bothDoors(token)) expect(body.data).toEqual(expect.any(Array));
    const mayListMembers = async () => [
      (await world.rest(token).get('/members')).status === 200,
      !(await mcp.call('listMembers')).isError,
    ];
    expect(await mayListMembers()).toEqual([false, false]);
    await world.ops(`member update --id ${cleaner.memberId} --role manager`);
    expect(await mayListMembers()).toEqual([true, true]);
    expect((await world.rest(token).post('/tasks', { name: 'Not granted' })).status).toBe(403);
    expect((await mcp.call('createTask', { name: 'Not granted' })).status).toBe(403);
  });

  there('returns 403 for a missing scope, and requests the scope if the person could grant it', async () => {
    const { access_token: token } = await world.tokensOf(await world.person('viewer'), {
      scopes: ['tasks:read', 'tasks:write'],
    });
    const lacking = await world.rest(token).post('/tasks', { name: 'A viewer' });
    expect([lacking.status, lacking.body.error.type, lacking.headers.has('www-authenticate')]).toEqual([
      403,
      'authorization_error',
      false,
    ]);
    const tool = await world.mcp(token).call('createTask', { name: 'A viewer' });
    expect([tool.status, tool.isError, tool.body.error.type]).toEqual([200, true, 'authorization_error']);
    const ungranted = await world.rest(token).get('/properties');
    expect(ungranted.body.error).toMatchObject({
      code: 'FORBIDDEN',
      message: expect.stringMatching(/^Missing permission/),
    });
    const challenge = /^Bearer error="insufficient_scope", scope="properties:read/;
    expect(ungranted.headers.get('www-authenticate')).toMatch(challenge);
    const ungrantedTool = await world.mcp(token).call('listProperties');
    expect([ungrantedTool.status, ungrantedTool.headers.get('www-authenticate')]).toEqual([
      403,
      expect.stringMatching(challenge),
    ]);
  });

  there('acts as the person, in the selected organization only', async () => {
    const person = await world.person();
    const memberId = await world.join(person, world.alpine);
    const { access_token: token } = await world.tokensOf(person, { orgId: world.alpine });
    const { data } = (await world.rest(token).get('/me')).body;
    expect(data).toMatchObject({
      credential: 'oauth',
      organization: { id: world.alpine },
      member: { id: memberId, kind: 'user' },
    });
    expect((await world.mcp(token).call('getMe')).body.data).toEqual({ ...data, now: expect.any(String) });
    const taskId = (await world.rest(token).post('/tasks', { name: 'In the Alps' })).body.data.id as string;
    const { access_token: elsewhere } = await world.tokensOf(person);
    expect((await world.rest(elsewhere).get(`/tasks/${taskId}`)).status).toBe(404);
    expect((await world.mcp(elsewhere).call('getTask', { taskId })).body.error.type).toBe('not_found_error');
  });
});

describe('LIM of OAuth tokens', () => {
  there('counts an application and a person together, in all their organizations', async () => {
    const person = await world.person();
    await world.join(person, world.alpine);
    await serviceClock.toFreshMinute();
    // Unused registrations expire.
    const [client, other] = [await registerClient(world.service), await registerClient(world.service)];
    const { access_token: far } = await world.tokensOf(person, { client });
    const { access_token: away } = await world.tokensOf(person, { orgId: world.alpine, client });
    const { access_token: apart } = await world.tokensOf(person, { client: other });
    const { access_token: roommate } = await world.tokensOf(await world.person(), { client });
    const left = async (token: string) =>
      (await bothDoors(token)).map(({ headers }) => headers.get('x-ratelimit-remaining'));
    expect(await left(far)).toEqual(['999', '998']);
    expect(await left(away)).toEqual(['997', '996']);
    expect(await left(apart)).toEqual(['999', '998']);
    expect(await left(roommate)).toEqual(['999', '998']);
  });

  onlyHere('the clock is stopped')('has the default limits', async () => {
    await serviceClock.toFreshMinute();
    const { access_token: token } = await world.tokensOf(await world.person());
    const replies = (await Promise.all(Array.from({ length: 30 }, () => bothDoors(token)))).flat();
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(50);
    expect(new Set(replies.map(({ headers }) => headers.get('x-ratelimit-limit')))).toEqual(new Set(['1000']));
  });
});
