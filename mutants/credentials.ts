import { type Edit, type Mutant, mutantsOf, suite } from './mutant.js';

const keys = 'src/auth/bearer/credentials.service.ts';
const tokens = 'src/auth/bearer/access-tokens.service.ts';
const apiKeys = 'src/auth/api-keys/api-keys.service.ts';
const matrix = (credential: string) => suite('integration/authorization/matrix', `over rest ${credential}`);

const registeredThemselves = suite('integration/auth/applications', 'registered themselves');

/** The first of two guards: the library finds approvals that have ended. */
const endedApprovals: Edit = {
  file: 'src/auth/oauth/grants.repository.ts',
  find: 'where id = $1 and revoked_at is null`',
  replace: 'where id = $1`',
};

/** Who the caller is, and what a credential may do. */
export const credentials: Mutant[] = [
  ...mutantsOf(keys, matrix('a revoked key'), {
    'revoked keys are accepted': ['if (revokedAt) throw', 'if (false) throw'],
  }),
  ...mutantsOf(keys, matrix('an expired key'), {
    'expired keys are accepted': ['if (expiresAt && expiresAt <=', 'if (false && expiresAt <='],
  }),
  ...mutantsOf(keys, 'integration/auth/api-keys/unauthorized', {
    'keys of inactive members are accepted': ["if (memberStatus !== 'active') throw", 'if (false) throw'],
    'keys of an inactive organization are accepted': ["if (orgStatus !== 'active') throw", 'if (false) throw'],
    'the error for a key of another region does not name its region':
      'if (parts.region && parts.region !== region) throw otherRegion(parts.region, this.config);',
    'a key with a wrong checksum is looked up': 'if (!parts.intact) throw unknownCredential();',
  }),
  ...mutantsOf(keys, 'integration/auth/api-keys/cells', {
    'the error for a key of another environment does not name it':
      'if (parts.environment !== environment) throw otherEnvironment(parts.environment, environment);',
  }),
  ...mutantsOf(keys, 'integration/auth/api-keys/create-api-key', {
    'a key sees more than its member': ['a && b ? a.filter((id) => b.includes(id)) : (a ?? b)', 'a ?? b'],
  }),
  ...mutantsOf(tokens, matrix('a token for another audience'), {
    'tokens for another audience are accepted': ' || row.audience !== audienceOf(this.config)',
  }),
  ...mutantsOf(tokens, matrix('an expired token'), {
    'expired tokens are accepted': ['if (expiresAt <= new Date().toISOString()) {', 'if (false) {'],
  }),
  ...mutantsOf(tokens, suite('acceptance/authorization-lifecycle', 'suspended'), {
    'tokens of inactive members are accepted': ["memberStatus === 'active' && role", 'role'],
  }),
  ...mutantsOf(tokens, matrix('a token whose person'), {
    'tokens keep the permissions that their member’s role has lost': [
      'new Set(live.filter((permission) => granted.has(permission)))',
      'granted',
    ],
  }),
  ...mutantsOf(tokens, matrix('a token of a person without'), {
    'tokens work without the required second factor': ['row.requiresTwoFactor && !row.hasSecondFactor', 'false'],
  }),
  ...mutantsOf(tokens, suite('acceptance/authorization-lifecycle', 'TOK'), {
    'tokens have permissions that were not granted': [
      'new Set(live.filter((permission) => granted.has(permission)))',
      'new Set(live)',
    ],
  }),
  ...mutantsOf(tokens, 'integration/auth/oauth/tokens.slow', {
    'tokens of revoked approvals are accepted': ['if (revokedAt) throw', 'if (false) throw'],
    'tokens of an inactive organization are accepted': ["if (orgStatus !== 'active') throw", 'if (false) throw'],
    'the error for a token of another region does not name its region':
      'if (read.region !== this.config.region) throw otherRegion(read.region, this.config);',
    'tokens of any kind are accepted as access tokens':
      "if (read.kind !== 'at') throw unauthorized('This is not an access token. Exchange it at the token endpoint.');",
  }),
  ...mutantsOf('src/auth/api-keys/new-key.ts', 'integration/auth/api-keys/create-api-key', {
    'a key has permissions that its creator lacks': ['if (beyond.length > 0) throw', 'if (false) throw'],
  }),
  ...mutantsOf(apiKeys, 'integration/auth/api-keys/create-api-key', {
    'a key is created for a person': ["if (member?.kind !== 'machine' || member.status !== 'active')", 'if (false)'],
  }),
  ...mutantsOf(apiKeys, 'integration/api-keys/rotate-api-key', {
    'a key is rotated beyond the caller’s properties': '    refuseBeyondLimit(caller, old.propertyIds);\n',
    'a rotated key is rotated again': 'if (old.successorId) throw apiKeyHasSuccessor(old.successorId);',
    'a key that has ended is rotated': ["if (old.status !== 'active')", 'if (false)'],
  }),
  // Separate processes run from the build.
  ...mutantsOf('dist/src/processes/first-start.js', 'integration/ops/first-start', {
    'a first key that can never work is accepted': ['refuseUnusableKey(admin.apiKey, this.config);', ';'],
  }),
  ...mutantsOf('src/auth/oauth/interactions.repository.ts', 'integration/auth/oauth/consent', {
    'one decision issues two codes': ['return rows.length > 0;', 'return true;'],
    'two decisions are accepted at the same time': [' for update', ''],
  }),
  ...mutantsOf('src/auth/oauth/authorization-server.ts', 'integration/auth/oauth/consent', {
    'a decision can be repeated':
      'if (interaction.result) return kind in interaction.result ? interaction.returnTo : undefined;',
  }),
  ...mutantsOf('src/tenancy/organizations/organizations.service.ts', registeredThemselves, {
    'self-registered applications stay after they are forbidden':
      "if (organization.selfRegisteredApplications === 'forbidden')\n      await this.followers.applicationsForbidden(caller, organization);",
  }),
  ...mutantsOf('src/auth/applications/applications.repository.ts', registeredThemselves, {
    'allowed applications end too': [".and('client_id <> all (?)', allowedClientIds)", ''],
    'verified applications end too': [' and not verified', ''],
  }),
  ...mutantsOf(
    'src/auth/consent/consent.service.ts',
    suite('integration/auth/oauth/consent', 'also once it has ended'),
    {
      'an approval that has ended is forgotten': ['l.client_id = $2\n', 'l.client_id = $2 and l.revoked_at is null\n'],
      'an earlier approval says what is preselected': ['order by l.created_at desc', 'order by l.created_at'],
    },
  ),
  ...mutantsOf('src/auth/consent/consent.service.ts', registeredThemselves, {
    'consent is given while it is being forbidden': [' for share of o', ''],
  }),
  ...mutantsOf('src/auth/oauth/provider-configuration.ts', 'integration/auth/oauth/authorization', {
    'PKCE is not required': ['pkce: { required: () => true },', 'pkce: { required: () => false },'],
    'tokens are issued for any resource': 'if (resource !== audience) throw new errors.InvalidTarget();',
  }),
  ...mutantsOf('src/auth/oauth/provider-configuration.ts', 'integration/auth/oauth/tokens.slow', {
    'refresh tokens do not rotate': ['rotateRefreshToken: true,', 'rotateRefreshToken: false,'],
    'a client revokes the tokens of another': ['token.clientId === client.clientId,', 'true,'],
  }),
  ...mutantsOf('src/auth/oauth/provider-configuration.ts', suite('acceptance/authorization', 'OAU'), {
    'a refresh token is issued without offline_access': ['scopes.has(offlineAccess),', 'true,'],
  }),
  ...mutantsOf('src/auth/oauth/provider.ts', 'integration/auth/oauth/authorization', {
    'a response mode that the metadata does not list is accepted': [
      'params.response_mode = undefined;\n    return false;',
      'return true;',
    ],
    'the error about a response mode is returned in that mode': 'params.response_mode = undefined;',
  }),
  // The lock is what counts: under it, no token that another request has used is found unused.
  ...mutantsOf('src/auth/oauth/grants.repository.ts', 'integration/auth/oauth/token-exchange', {
    'a code is used on two nodes at the same time': [' for no key update of g`', '`'],
  }),
  ...mutantsOf('src/auth/oauth/tokens.repository.ts', suite('acceptance/authorization-lifecycle', 'refresh'), {
    'a refresh can be repeated forever': ['t.consumed_at <= $3\n', '$3::timestamptz is null\n'],
    'a refresh can be repeated after its successor was used': [
      's.parent = t.hash and s.consumed_at is not null',
      'false',
    ],
  }),
  ...mutantsOf('src/auth/oauth/tokens.repository.ts', 'integration/auth/oauth/tokens.slow', {
    'an ended approval issues tokens': ['on g.id = $1 and g.revoked_at is null\n', 'on g.id = $1\n'],
  }).map((mutant) => ({ ...mutant, edits: [endedApprovals, ...mutant.edits] })),
  ...mutantsOf('src/auth/oauth/registration-rules.ts', 'integration/auth/oauth/registration', {
    'an application verifies itself': 'if (ctx || isDocument) delete metadata.verified;',
    'any redirect address is registered': '|| !acceptable.test(uri) || wildcardFragmentOrUser.test(uri)',
  }),
  ...mutantsOf('libs/limits/source.ts', 'integration/auth/oauth/registration', {
    'each address of an IPv6 network has its own limit of registrations': [
      ".split(':').slice(0, 4)",
      ".split(':').slice(0, 8)",
    ],
  }),
  ...mutantsOf('src/auth/oauth/registration-limit.ts', 'integration/auth/oauth/registration', {
    'no limit on registrations': ['if (waitMs > 0) throw', 'if (false) throw'],
  }),
];
