import { createHash } from 'node:crypto';
import type { Operation } from '#operations';
import { newApiKey } from '#regions';
import { SystemDatabase } from '#system-database';
import type { Api } from '../../support/api.js';
import { clock } from '../../support/clock.js';
import { keyWith } from '../../support/factories.js';
import { type Member, type OAuthWorld, openWorld } from '../../support/oauth-world.js';
import { concernsAll, scopes } from './oracle.js';

/** What the credential causes before anybody reads the rest of the request. */
export type Verdict = 'passes' | 'unauthorized' | 'forbidden' | 'second factor' | 'organization-wide';

/** The relation of a credential to an operation; its scope is undefined if it needs none. */
interface Credential {
  /** The request to send, after its preconditions have been set up. */
  of(scope: string | undefined): Promise<string | undefined>;
  verdict(scope: string | undefined, operation: Operation): Verdict;
  /** Whether the outcome depends on the operation. */
  depends: boolean;
}

const fixed = (token: string | undefined, verdict: Verdict): Credential => ({
  of: () => Promise.resolve(token),
  verdict: () => verdict,
  depends: false,
});
const unless = (scope: string | undefined): Verdict => (scope ? 'forbidden' : 'passes');

/** One outcome for each scope. */
function once(make: (scope: string | undefined) => Promise<string>): Credential['of'] {
  const made = new Map<string | undefined, Promise<string>>();
  return (scope) => {
    const found = made.get(scope) ?? make(scope);
    made.set(scope, found);
    return found;
  };
}

type Token = Member & { access_token: string; refresh_token?: string };

export interface Organizations {
  world: OAuthWorld;
  /** Every scope and no limit, in the organization of the matrix and in another one. */
  own: Api;
  foreign: Api;
  /** Of a new person who approved every scope; an owner of the organization by default. */
  tokenOf(orgId?: string, role?: string): Promise<Token>;
}

export async function openOrganizations(env: Record<string, string> = {}): Promise<Organizations> {
  const world = await openWorld(env);
  const { lakeside, alpine } = world;
  return {
    world,
    own: await world.everything(),
    foreign: await world.everything(alpine),
    tokenOf: async (orgId = lakeside, role = 'owner') => {
      const person = await world.person(role, orgId);
      return {
        ...person,
        ...(await world.tokensOf(person, { scopes: [...scopes, 'applications:manage', 'offline_access'], orgId })),
      };
    },
  };
}

/** The sixteen credentials of the matrix; the others in this file represent what these are not. */
export const credentialNames = [
  'none',
  'a malformed key',
  'a revoked key',
  'an expired key',
  'a key of another region',
  'a key of another environment',
  'a key without the scope',
  'a key with only the scope',
  'a key limited to a property',
  'a token with everything',
  'a token whose person may no longer do it',
  'a token of a removed member',
  'a token of a person without a second factor',
  'an expired token',
  'a refresh token',
  'a token for another audience',
] as const;
type CredentialName = (typeof credentialNames)[number];

const hourMs = 3_600_000;

/** All of them; an hour has passed since the expired ones were created. */
export async function makeCredentials(organizations: Organizations): Promise<Record<CredentialName, Credential>> {
  const { world, own, tokenOf } = organizations;
  const { service, ops, lakeside } = world;

  clock.set(Date.now());
  const expiredKey = await keyWith(own, { expiresAt: new Date(Date.now() + 1_000).toISOString() });
  const expiredToken = await tokenOf();
  clock.advance(hourMs + 1_000);

  const revoked = await keyWith(own);
  await own.post(`/api-keys/${revoked.id}/revoke`);
  const full = await tokenOf();
  const removed = await tokenOf();
  await ops(`member remove --id ${removed.memberId}`);
  const strict = (await ops('org create --name "Strict Stays"')).id as string;
  const factorless = await tokenOf(strict);
  await ops(`org update --org ${strict} --require-two-factor true`);
  const elsewhere = await tokenOf();
  const system = service.app.get(SystemDatabase);
  const otherAudience = `update oauth_tokens set audience = 'https://other.example/mcp' where hash = $1`;
  await system.rows(otherAudience, [createHash('sha256').update(elsewhere.access_token).digest()]);
  const { id: roleId } = (await own.post('/roles', { name: 'changing', permissions: scopes })).body.data;
  const changing = await tokenOf(lakeside, 'changing');
  const limitedTo = (await own.post('/properties', { name: 'Alone', timezone: 'UTC' })).body.data.id as string;
  const limited = await keyWith(own, { propertyIds: [limitedTo] });

  const others = (scope: string | undefined): string[] => scopes.filter((other) => other !== scope);
  const withScopes = async (wanted: string[]): Promise<string> => (await keyWith(own, { scopes: wanted })).key;
  return {
    none: fixed(undefined, 'unauthorized'),
    'a malformed key': fixed('no-credential-of-ours', 'unauthorized'),
    'a revoked key': fixed(revoked.key, 'unauthorized'),
    'an expired key': fixed(expiredKey.key, 'unauthorized'),
    'a key of another region': fixed(newApiKey('live', 'eu'), 'unauthorized'),
    'a key of another environment': fixed(newApiKey('test', 'us'), 'unauthorized'),
    'a key without the scope': { of: once((scope) => withScopes(others(scope))), verdict: unless, depends: true },
    'a key with only the scope': {
      of: once((scope = 'tasks:read') => withScopes([scope])),
      verdict: () => 'passes',
      depends: true,
    },
    'a key limited to a property': {
      of: () => Promise.resolve(limited.key),
      verdict: (_, operation) => (concernsAll(operation) ? 'organization-wide' : 'passes'),
      depends: true,
    },
    'a token with everything': fixed(full.access_token, 'passes'),
    'a token whose person may no longer do it': {
      of: async (scope) => {
        const { status, text } = await own.patch(`/roles/${roleId}`, { permissions: others(scope) });
        if (status !== 200) throw new Error(text);
        return changing.access_token;
      },
      verdict: unless,
      depends: true,
    },
    'a token of a removed member': { of: () => Promise.resolve(removed.access_token), verdict: unless, depends: false },
    'a token of a person without a second factor': fixed(factorless.access_token, 'second factor'),
    'an expired token': fixed(expiredToken.access_token, 'unauthorized'),
    'a refresh token': fixed(full.refresh_token, 'unauthorized'),
    'a token for another audience': fixed(elsewhere.access_token, 'unauthorized'),
  };
}
