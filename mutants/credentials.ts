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
    'revoked keys': ['if (revokedAt) throw', 'if (false) throw'],
  }),
  ...mutantsOf(keys, matrix('an expired key'), {
    'expired keys': ['if (expiresAt && expiresAt <=', 'if (false && expiresAt <='],
  }),
  ...mutantsOf(keys, 'integration/auth/api-keys/unauthorized', {
    'keys of members who are not active': ["if (memberStatus !== 'active') throw", 'if (false) throw'],
    'keys of an organization that is not active': ["if (orgStatus !== 'active') throw", 'if (false) throw'],
    'no word about the region':
      'if (parts.region && parts.region !== region) throw otherRegion(parts.region, this.config);',
    'a wrong checksum is looked up': 'if (!parts.intact) throw unknownCredential();',
  }),
  ...mutantsOf(keys, 'integration/auth/api-keys/cells', {
    'no word about the environment':
      'if (parts.environment !== environment) throw otherEnvironment(parts.environment, environment);',
  }),
  ...mutantsOf(keys, 'integration/auth/api-keys/create-api-key', {
    'a key sees more than its member': ['a && b ? a.filter((id) => b.includes(id)) : (a ?? b)', 'a ?? b'],
  }),
  ...mutantsOf(tokens, matrix('a token for another audience'), {
    'tokens for another audience': ' || row.audience !== audienceOf(this.config)',
  }),
  ...mutantsOf(tokens, matrix('an expired token'), {
    'expired tokens': ['if (expiresAt <= new Date().toISOString()) {', 'if (false) {'],
  }),
  ...mutantsOf(tokens, suite('acceptance/authorization-lifecycle', 'suspended'), {
    'tokens of members who are not active': ["memberStatus === 'active' && role", 'role'],
  }),
  ...mutantsOf(tokens, matrix('a token whose person'), {
    'tokens that outlive the role': ['new Set(live.filter((permission) => granted.has(permission)))', 'granted'],
  }),
  ...mutantsOf(tokens, matrix('a token of a person without'), {
    'a missing second factor is not noticed': ['row.requiresTwoFactor && !row.hasSecondFactor', 'false'],
  }),
  ...mutantsOf(tokens, suite('acceptance/authorization-lifecycle', 'TOK'), {
    'tokens that may more than was granted': [
      'new Set(live.filter((permission) => granted.has(permission)))',
      'new Set(live)',
    ],
  }),
  ...mutantsOf(tokens, 'integration/auth/oauth/tokens', {
    'revoked approvals': ['if (revokedAt) throw', 'if (false) throw'],
    'tokens of an organization that is not active': ["if (orgStatus !== 'active') throw", 'if (false) throw'],
    'no word about the region of a token':
      'if (read.region !== this.config.region) throw otherRegion(read.region, this.config);',
    'a token of each kind is an access token':
      "if (read.kind !== 'at') throw unauthorized('This is not an access token. Exchange it at the token endpoint.');",
  }),
  ...mutantsOf('src/auth/api-keys/new-key.ts', 'integration/auth/api-keys/create-api-key', {
    'a key may more than its maker': ['if (beyond.length > 0) throw', 'if (false) throw'],
  }),
  ...mutantsOf(apiKeys, 'integration/auth/api-keys/create-api-key', {
    'a key for a person': ["if (member?.kind !== 'machine' || member.status !== 'active')", 'if (false)'],
  }),
  ...mutantsOf(apiKeys, 'integration/api-keys/rotate-api-key', {
    'a rotated key sees more than its maker': '    refuseBeyondLimit(caller, old.propertyIds);\n',
    'a key is rotated twice': 'if (old.successorId) throw apiKeyHasSuccessor(old.successorId);',
    'an ended key is rotated': ["if (old.status !== 'active')", 'if (false)'],
  }),
  // Separate processes run from the build.
  ...mutantsOf('dist/src/processes/first-start.js', 'integration/ops/first-start', {
    'a first key that is never good': ['refuseUnusableKey(admin.apiKey, this.config);', ';'],
  }),
  ...mutantsOf('src/auth/oauth/interactions.repository.ts', 'integration/auth/oauth/consent', {
    'a decision gives two codes': ['return rows.length > 0;', 'return true;'],
    'two decisions at once': [' for update', ''],
  }),
  ...mutantsOf('src/auth/oauth/authorization-server.ts', 'integration/auth/oauth/consent', {
    'a decision is taken again':
      'if (interaction.result) return kind in interaction.result ? interaction.returnTo : undefined;',
  }),
  ...mutantsOf('src/tenancy/organizations/organizations.service.ts', registeredThemselves, {
    'what registered itself stays where it is forbidden':
      "if (organization.selfRegisteredApplications === 'forbidden')\n      await this.followers.applicationsForbidden(caller, organization);",
  }),
  ...mutantsOf('src/auth/applications/applications.repository.ts', registeredThemselves, {
    'applications end that are allowed': [".and('client_id <> all (?)', allowedClientIds)", ''],
    'applications end that an operator vouches for': [' and not verified', ''],
  }),
  ...mutantsOf('src/auth/consent/consent.service.ts', registeredThemselves, {
    'consent does not wait for who forbids it': [' for share of o', ''],
  }),
  ...mutantsOf('src/auth/oauth/provider-configuration.ts', 'integration/auth/oauth/authorization', {
    'no PKCE': ['pkce: { required: () => true },', 'pkce: { required: () => false },'],
    'a token for any resource': 'if (resource !== audience) throw new errors.InvalidTarget();',
  }),
  ...mutantsOf('src/auth/oauth/provider-configuration.ts', 'integration/auth/oauth/tokens', {
    'refresh tokens that stay': ['rotateRefreshToken: true,', 'rotateRefreshToken: false,'],
    'a client revokes the tokens of another': ['token.clientId === client.clientId,', 'true,'],
  }),
  ...mutantsOf('src/auth/oauth/provider-configuration.ts', suite('acceptance/authorization', 'OAU'), {
    'a refresh token without offline_access': ['scopes.has(offlineAccess),', 'true,'],
  }),
  // The lock is what counts: under it, no token that another request has used is found unused.
  ...mutantsOf('src/auth/oauth/provider.ts', 'integration/auth/oauth/authorization', {
    'a response mode that the metadata does not list is accepted': [
      'params.response_mode = undefined;\n    return false;',
      'return true;',
    ],
    'the error about a response mode is returned in that mode': 'params.response_mode = undefined;',
  }),
  ...mutantsOf('src/auth/oauth/token-exchange.ts', 'integration/auth/oauth/token-exchange', {
    'a code is used on two nodes at once': 'await repositories.grants.lockByToken(presented);',
  }),
  ...mutantsOf('src/auth/oauth/tokens.repository.ts', suite('acceptance/authorization-lifecycle', 'refresh'), {
    'a refresh is repeated for ever': ['t.consumed_at <= $3\n', '$3::timestamptz is null\n'],
    'a refresh is repeated after its successor was used': ['s.parent = t.hash and s.consumed_at is not null', 'false'],
  }),
  ...mutantsOf('src/auth/oauth/tokens.repository.ts', 'integration/auth/oauth/tokens', {
    'an approval that has ended gives tokens': ['where id = $2 and revoked_at is null\n', 'where id = $2\n'],
  }).map((mutant) => ({ ...mutant, edits: [endedApprovals, ...mutant.edits] })),
  ...mutantsOf('src/auth/oauth/registration-rules.ts', 'integration/auth/oauth/registration', {
    'an application verifies itself': 'if (ctx || isDocument) delete metadata.verified;',
    'any redirect address is registered': '|| !acceptable.test(uri) || wildcardFragmentOrUser.test(uri)',
  }),
  ...mutantsOf('libs/limits/source.ts', 'integration/auth/oauth/registration', {
    'each address of an IPv6 site registers': [".split(':').slice(0, 4)", ".split(':').slice(0, 8)"],
  }),
  ...mutantsOf('src/auth/oauth/registration-limit.ts', 'integration/auth/oauth/registration', {
    'registrations without a limit': ['if (waitMs > 0) throw', 'if (false) throw'],
  }),
];
