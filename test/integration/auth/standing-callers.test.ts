import type { Caller, RequestCaller } from '#access';
import { StandingCallers } from '../../../src/tenancy/members/standing-callers.js';
import { CredentialsService } from '../../../src/auth/bearer/credentials.service.js';
import type { Api } from '../../support/api.js';
import { clock } from '../../support/clock.js';
import { keyWith, propertyOf } from '../../support/factories.js';
import { type Member, type OAuthWorld, openWorld } from '../../support/oauth-world.js';

let world: OAuthWorld;
let api: Api;
beforeAll(async () => {
  world = await openWorld();
  api = await world.everything();
});
afterAll(() => world.close());
afterEach(() => clock.restore());

const callerOf = (token: string): Promise<RequestCaller> =>
  world.service.app
    .get(CredentialsService, { strict: false })
    .callerOf({ authorization: `Bearer ${token}` }, 'request');
const now = (caller: Caller) => world.service.app.get(StandingCallers, { strict: false }).now(caller);
const permittedNow = async (caller: Caller): Promise<string[] | undefined> => {
  const left = await now(caller);
  return left && [...left.permissions].sort();
};

const scopes = ['guides:write', 'tasks:write'];
const personOf = async (role = 'manager'): Promise<Member & { caller: RequestCaller }> => {
  const person = await world.person(role);
  const { access_token: token } = await world.tokensOf(person, { scopes });
  return { ...person, caller: await callerOf(token) };
};

describe('what a token was allowed when it asked', () => {
  it('is allowed later too, as long as nothing was taken away', async () => {
    const { caller } = await personOf();
    expect(await permittedNow(caller)).toEqual(scopes);
  });

  it('shrinks with the role of its person, and never grows', async () => {
    const { id } = (await api.post('/roles', { name: 'writers', permissions: scopes })).body.data;
    const { caller } = await personOf('writers');
    await api.patch(`/roles/${id}`, { permissions: ['tasks:write', 'tasks:read'] });
    expect(await permittedNow(caller)).toEqual(['tasks:write']);
  });

  it('is nothing after the person is suspended, or has disconnected the application', async () => {
    const suspended = await personOf();
    await api.post(`/members/${suspended.memberId}/suspend`);
    expect(await permittedNow(suspended.caller)).toBeUndefined();
    const disconnected = await personOf();
    const { body } = await api.get('/applications?of=organization&limit=100');
    const application = (body.data as { id: string; userId?: string }[]).find(
      ({ id }) => id === disconnected.caller.credential.id,
    );
    await api.post(`/applications/${application?.id}/revoke`);
    expect(await permittedNow(disconnected.caller)).toBeUndefined();
  });

  it('is nothing while the organization requires a second factor that the person lacks', async () => {
    const { caller } = await personOf();
    await world.ops(`org update --org ${world.lakeside} --require-two-factor true`);
    expect(await permittedNow(caller)).toBeUndefined();
    await world.ops(`org update --org ${world.lakeside} --require-two-factor false`);
    expect(await permittedNow(caller)).toEqual(scopes);
  });

  it('remains with the person who approves the application again', async () => {
    const person = await world.person();
    const first = await world.tokensOf(person, { scopes });
    const caller = await callerOf(first.access_token);
    await world.tokensOf(person, { scopes: ['tasks:write'], client: first.client });
    expect(await permittedNow(caller)).toEqual(['tasks:write']);
  });
});

describe('what a key was allowed when it asked', () => {
  it('is nothing after it has expired', async () => {
    const expiresAt = new Date(Date.now() + 60_000).toISOString();
    const { key } = await keyWith(api, { scopes, expiresAt });
    const caller = await callerOf(key);
    expect(await permittedNow(caller)).toEqual(scopes);
    clock.advance(61_000);
    expect(await permittedNow(caller)).toBeUndefined();
  });

  it('is limited to the properties that its member may still see', async () => {
    const [here, there] = [await propertyOf(api), await propertyOf(api)];
    const made = await keyWith(api, { scopes });
    const caller = await callerOf(made.key);
    await api.patch(`/members/${caller.memberId}`, { propertyIds: [here] });
    expect((await now(caller))?.propertyIds).toEqual([here]);
    expect((await now({ ...caller, propertyIds: [there] }))?.propertyIds).toEqual([]);
  });
});
