import pg from 'pg';
import type { Json } from '../../../support/api.js';
import { Browser } from '../../../../faults/page-client.js';
import { clock } from '../../../support/clock.js';
import { dumpOf } from '../../../support/dump.js';
import { performDue } from '../../../support/jobs.js';
import {
  authorizeUrl,
  codeFor,
  decide,
  exchange,
  newProof,
  openConsent,
  refresh,
  type Reply,
  registerClient,
  revoke,
} from '../../../support/oauth.js';
import { type OAuthWorld, openWorld } from '../../../support/oauth-world.js';
import { RetentionService } from '../../../../src/processes/retention/retention.service.js';

let world: OAuthWorld;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());
afterEach(() => clock.restore());

const statusOf = async (token: string): Promise<number> => (await world.rest(token).get('/me')).status;

async function rows(text: string, values: unknown[] = []): Promise<Json[]> {
  const client = new pg.Client({ connectionString: world.service.database.url });
  await client.connect();
  try {
    await client.query('set role app_system');
    return (await client.query<Json>(text, values)).rows;
  } finally {
    await client.end();
  }
}

const liveGrants = (userId: string) =>
  rows('select id from oauth_grants where user_id = $1 and revoked_at is null', [userId.slice(5)]);

/** The events about a person's approvals, and who caused them. */
const eventsOf = async (userId: string): Promise<unknown[][]> =>
  (
    await rows(
      `select e.type, e.actor->>'type' as by from events e
         join oauth_grants g on e.subject_id = 'grant_' || replace(g.id::text, '-', '')
        where g.user_id = $1 order by e.transaction_id, e.position`,
      [userId.slice(5)],
    )
  ).map(({ type, by }) => [type, by]);

/** What the audit trail records about them, and by whom. */
const entriesOf = async (userId: string): Promise<unknown[][]> =>
  (
    await rows(
      `select e.action, e.actor_type as by from audit_entries e
         join oauth_grants g on e.target_id = 'grant_' || replace(g.id::text, '-', '')
        where g.user_id = $1`,
      [userId.slice(5)],
    )
  ).map(({ action, by }) => [action, by]);

/** A refresh that was rejected, or whose access token does not work. */
const cameToNothing = async ({ status, body }: Reply): Promise<boolean> =>
  status === 200 ? (await statusOf(body.access_token)) === 401 : status === 400 && body.error === 'invalid_grant';

describe('a refresh token', () => {
  it('keeps a single lineage for 100 parallel refreshes', async () => {
    const person = await world.person();
    const { client, refresh_token: token } = await world.tokensOf(person);
    const answers = await Promise.all(Array.from({ length: 100 }, () => refresh(world.service, client, token ?? '')));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(new Set(answers.map(({ body }) => body.refresh_token)).size).toBe(1);
    expect(new Set(answers.map(({ body }) => body.access_token)).size).toBe(100);
    expect((await refresh(world.service, client, answers[0]?.body.refresh_token)).status).toBe(200);
    expect(await liveGrants(person.userId)).toHaveLength(1);
  });

  it('racing a new approval leaves one lineage, the new one', async () => {
    for (let round = 0; round < 5; round += 1) {
      const person = await world.person();
      const first = await world.tokensOf(person);
      const browser = new Browser(world.service.url);
      const proof = newProof();
      const page = await openConsent(browser, person, authorizeUrl(world.service, first.client, proof));
      const [done, ...refreshed] = await Promise.all([
        decide(browser, page, 'authorize', world.lakeside),
        ...Array.from({ length: 8 }, () => refresh(world.service, first.client, first.refresh_token ?? '')),
      ]);
      const code = done.url.searchParams.get('code') ?? '';
      const { status, body } = await exchange(world.service, first.client, code, proof);
      expect(status).toBe(200);
      expect((await Promise.all(refreshed.map(cameToNothing))).filter((nothing) => !nothing)).toEqual([]);
      expect(await statusOf(body.access_token)).toBe(200);
      expect(await liveGrants(person.userId)).toHaveLength(1);
    }
  });

  it('racing a revocation leaves nothing, and affects nobody else', async () => {
    const bystander = await world.tokensOf(await world.person());
    for (let round = 0; round < 5; round += 1) {
      const person = await world.person();
      const first = await world.tokensOf(person);
      const [given, ...refreshed] = await Promise.all([
        revoke(world.service, first.client, first.refresh_token ?? ''),
        ...Array.from({ length: 8 }, () => refresh(world.service, first.client, first.refresh_token ?? '')),
      ]);
      expect(given.status).toBe(200);
      expect((await Promise.all(refreshed.map(cameToNothing))).filter((nothing) => !nothing)).toEqual([]);
      expect(await liveGrants(person.userId)).toEqual([]);
    }
    expect(await statusOf(bystander.access_token)).toBe(200);
  });

  it('is valid only for its own client', async () => {
    const { client, refresh_token: token } = await world.tokensOf(await world.person());
    const other = await registerClient(world.service);
    expect((await refresh(world.service, other, token ?? '')).body.error).toBe('invalid_grant');
    expect((await refresh(world.service, client, token ?? '')).status).toBe(200);
  });

  it('can be used for fewer scopes, and never gives more', async () => {
    const { client, refresh_token: token } = await world.tokensOf(await world.person());
    const less = await refresh(world.service, client, token ?? '', { scope: 'tasks:read' });
    expect([less.status, less.body.scope]).toEqual([200, 'tasks:read']);
    const more = await refresh(world.service, client, less.body.refresh_token, { scope: 'members:manage' });
    expect([more.status, more.body.error]).toEqual([400, 'invalid_scope']);
  });
});

describe('revocation (RFC 7009)', () => {
  it('of either token ends the whole approval', async () => {
    for (const which of ['access_token', 'refresh_token'] as const) {
      const tokens = await world.tokensOf(await world.person());
      expect((await revoke(world.service, tokens.client, tokens[which] ?? '')).status).toBe(200);
      expect(await statusOf(tokens.access_token)).toBe(401);
      expect((await refresh(world.service, tokens.client, tokens.refresh_token ?? '')).body.error).toBe(
        'invalid_grant',
      );
    }
  });

  it("of another client's or an unknown token does nothing, and does not reveal it", async () => {
    const tokens = await world.tokensOf(await world.person());
    const other = await registerClient(world.service);
    expect((await revoke(world.service, other, tokens.access_token)).status).toBe(200);
    expect((await revoke(world.service, other, 'at_us_nothing')).status).toBe(200);
    expect(await statusOf(tokens.access_token)).toBe(200);
  });
});

describe('a bearer token', () => {
  const challenged = async (token: string): Promise<string> => {
    const { status, headers, body } = await world.rest(token).get('/tasks');
    expect([status, body.error.type, headers.has('x-ratelimit-limit')]).toEqual([401, 'authentication_error', false]);
    expect(headers.get('www-authenticate')).toMatch(/^Bearer error="invalid_token", resource_metadata="/);
    return body.error.message as string;
  };

  it('is rejected if it is unknown, of another region, not an access token or for another audience', async () => {
    const person = await world.person();
    const { access_token: token, refresh_token: refreshToken, client } = await world.tokensOf(person);
    const code = await codeFor(world.service, client, newProof(), { ...person, orgId: world.lakeside });
    const answers = [
      await challenged(`at_us_${'a'.repeat(43)}`),
      await challenged(token.replace('at_us_', 'at_eu_')),
      await challenged(refreshToken ?? ''),
      await challenged(code),
    ];
    expect(answers[1]).toContain('region eu');
    expect(answers[2]).toContain('not an access token');
    const other = await world.tokensOf(await world.person());
    await rows(`update oauth_tokens set audience = 'https://other.example/mcp' where hash = sha256($1)`, [
      Buffer.from(other.access_token),
    ]);
    await challenged(other.access_token);
  });

  it('is rejected while its organization is suspended', async () => {
    const { access_token: token } = await world.tokensOf(await world.person());
    const put = (status: string) =>
      rows('update organizations set status = $2 where id = $1', [world.lakeside.replace('org_', ''), status]);
    await put('suspended');
    const { status, body } = await world.rest(token).get('/me');
    await put('active');
    expect([status, body.error.message]).toEqual([401, expect.stringContaining('organization')]);
    expect(await statusOf(token)).toBe(200);
  });

  it('has the budget of its person and application, whichever approval it belongs to', async () => {
    clock.set(Date.now());
    const person = await world.person();
    const left = async (token: string): Promise<number> =>
      Number((await world.rest(token).get('/me')).headers.get('x-ratelimit-remaining'));
    const { access_token: first, client } = await world.tokensOf(person);
    expect(await left(first)).toBe(999);
    const { access_token: second } = await world.tokensOf(person, { client });
    expect(await left(second)).toBe(998);
  });

  it('is rejected the same way at /mcp, and the challenge of a 2025 client ends in offline_access', async () => {
    const ask = (headers: Record<string, string>) =>
      fetch(`${world.service.url}/mcp`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
      });
    const scopeOf = async (headers: Record<string, string>): Promise<string> => {
      const response = await ask(headers);
      await response.text();
      expect(response.status).toBe(401);
      return /scope="([^"]*)"/.exec(response.headers.get('www-authenticate') ?? '')?.[1] ?? '';
    };
    expect(await scopeOf({})).toMatch(/tasks:read.* offline_access$/);
    expect(await scopeOf({ 'mcp-method': 'tools/list' })).not.toContain('offline_access');
  });
});

describe('the stored data', () => {
  it('contains no code, token, secret or password in plain text', async () => {
    const person = await world.person();
    const client = await registerClient(world.service, { token_endpoint_auth_method: 'client_secret_post' });
    const browser = new Browser(world.service.url);
    const proof = newProof();
    const url = authorizeUrl(world.service, client, proof);
    const page = await openConsent(browser, person, url);
    const pending = await dumpOf(world.service.database.url);
    const done = await decide(browser, page, 'authorize', world.lakeside);
    const code = done.url.searchParams.get('code') ?? '';
    const { body } = await exchange(world.service, client, code, proof);
    const next = await refresh(world.service, client, body.refresh_token);
    const dump = pending + (await dumpOf(world.service.database.url));
    expect(dump).toContain(person.email);
    const secrets = {
      password: person.password,
      code,
      accessToken: body.access_token as string,
      refreshToken: body.refresh_token as string,
      nextRefreshToken: next.body.refresh_token as string,
      clientSecret: client.client_secret as string,
      interaction: page.url.pathname.split('/').at(-1) as string,
      session: browser.cookies.get('session') as string,
    };
    for (const [name, secret] of Object.entries(secrets)) {
      const forms = [secret, Buffer.from(secret).toString('hex'), Buffer.from(secret).toString('base64')];
      expect([name, secret.length > 15, forms.filter((form) => dump.includes(form))]).toEqual([name, true, []]);
    }
  });

  it('is deleted when it has expired, but not used refresh tokens before that', async () => {
    const person = await world.person();
    const { client, refresh_token: token } = await world.tokensOf(person);
    await refresh(world.service, client, token ?? '');
    const kinds = async () =>
      (
        await rows(
          `select t.kind from oauth_tokens t join oauth_grants g on g.id = t.grant_id where g.user_id = $1 order by 1`,
          [person.userId.slice(5)],
        )
      ).map(({ kind }) => kind as string);
    const sweep = () => performDue(world.service.app.get(RetentionService));
    await sweep();
    expect(await kinds()).toEqual(['ac', 'at', 'at', 'rt', 'rt']);
    clock.set(Date.now() + 2 * 3_600_000);
    await sweep();
    expect(await kinds()).toEqual(['rt', 'rt']);
    clock.advance(31 * 86_400_000);
    await sweep();
    expect(await kinds()).toEqual([]);
    expect(await liveGrants(person.userId)).toEqual([]);
    expect((await eventsOf(person.userId)).at(-1)).toEqual(['application.revoked', 'service']);
    expect(await entriesOf(person.userId)).toContainEqual(['application.revoked', 'service']);
    const isRegistered = async () =>
      (await rows('select 1 from oauth_clients where id = $1', [client.client_id])).length === 1;
    expect(await isRegistered()).toBe(true);
    clock.advance(91 * 86_400_000);
    await sweep();
    expect(await isRegistered()).toBe(false);
  });

  it('records what was authorized, and nobody can change the record', async () => {
    const person = await world.person();
    const client = await registerClient(world.service);
    const browser = new Browser(world.service.url);
    await decide(
      browser,
      await openConsent(browser, person, authorizeUrl(world.service, client, newProof())),
      'cancel',
    );
    const tokens = await world.tokensOf(person, { client });
    const next = await refresh(world.service, client, tokens.refresh_token ?? '');
    clock.set(Date.now() + 11_000);
    await refresh(world.service, client, tokens.refresh_token ?? '');
    expect(await statusOf(next.body.access_token)).toBe(401);
    const again = await world.tokensOf(person, { client });
    const made = await world.service.api.as(again.access_token).post('/tasks', { name: 'Sweep' });
    await revoke(world.service, client, again.access_token);
    const above = await rows(
      `select action, details::text from security_events where target->>'id' in ($1, $2) order by created_at, id`,
      [client.client_id, person.userId],
    );
    expect(above.map(({ action }) => action as string)).toEqual(
      expect.arrayContaining(['registerApplication', 'signed-in', 'refuseApplication']),
    );
    const [task] = await rows(`select * from audit_entries where target_id = $1`, [made.body.data.id]);
    expect(task).toMatchObject({
      action: 'createTask',
      actor_type: 'member',
      credential: { kind: 'oauth', id: expect.stringMatching(/^grant_/), clientId: client.client_id },
      on_behalf_of: person.userId,
    });
    expect((await entriesOf(person.userId)).map(([action]) => action).sort()).toEqual([
      'approveApplication',
      'approveApplication',
      'detectTokenReuse',
      'refreshApplication',
      'revokeApplication',
    ]);
    expect(await eventsOf(person.userId)).toEqual([
      ['application.approved', 'member'],
      ['application.revoked', 'service'],
      ['application.approved', 'member'],
      ['application.revoked', 'service'],
    ]);
    for (const table of ['audit_entries', 'security_events']) {
      await expect(rows(`update ${table} set action = 'nothing'`)).rejects.toThrow('permission denied');
      await expect(rows(`delete from ${table}`)).rejects.toThrow('permission denied');
    }
  });
});
