import { type Mutant, mutantsOf } from './mutant.js';

const keys = 'src/auth/credentials.service.ts';
const tokens = 'src/auth/access-tokens.service.ts';
const matrix = (credential: string) => ['integration/authorization/matrix', `over rest (${credential})`] as const;

/** Who somebody is, and what they may do. */
export const credentials: Mutant[] = [
  ...mutantsOf(
    keys,
    ...matrix('a revoked key'),
  )({
    'revoked keys': ['if (revokedAt) throw', 'if (false) throw'],
  }),
  ...mutantsOf(
    keys,
    ...matrix('an expired key'),
  )({
    'expired keys': ['if (expiresAt && expiresAt <=', 'if (false && expiresAt <='],
  }),
  ...mutantsOf(
    keys,
    'integration/auth/api-keys/unauthorized',
  )({
    'keys of members who are not active': ["if (memberStatus !== 'active') throw", 'if (false) throw'],
    'keys of an organization that is not active': ["if (orgStatus !== 'active') throw", 'if (false) throw'],
    'a wrong checksum is looked up': ['if (!parts.intact) throw unknownCredential();', ''],
  }),
  ...mutantsOf(
    keys,
    'integration/auth/api-keys/cells',
  )({
    'no word about the environment': [
      'if (parts.environment !== environment) throw otherEnvironment(parts.environment, environment);',
      '',
    ],
    'no word about the region': [
      'if (parts.region && parts.region !== region) throw otherRegion(parts.region, region);',
      '',
    ],
  }),
  ...mutantsOf(
    keys,
    'integration/auth/api-keys/read-api-keys',
  )({
    'a key sees more than its member': ['a && b ? a.filter((id) => b.includes(id)) : (a ?? b)', 'a ?? b'],
  }),
  ...mutantsOf(
    tokens,
    ...matrix('a token for another audience'),
  )({
    'tokens for another audience': [' || row.audience !== `${this.config.mcpUrl}/mcp`', ''],
  }),
  ...mutantsOf(
    tokens,
    ...matrix('an expired token'),
  )({
    'expired tokens': ['if (expiresAt <= new Date().toISOString()) {', 'if (false) {'],
  }),
  ...mutantsOf(
    tokens,
    ...matrix('a token of a removed member'),
  )({
    'tokens of members who are not active': ["memberStatus === 'active' && role", 'role'],
  }),
  ...mutantsOf(
    tokens,
    ...matrix('a token whose person'),
  )({
    'tokens that outlive the role': ['new Set(live.filter((permission) => granted.has(permission)))', 'granted'],
  }),
  ...mutantsOf(
    tokens,
    'acceptance/authorization',
    'TOK',
  )({
    'tokens that may more than was granted': [
      'new Set(live.filter((permission) => granted.has(permission)))',
      'new Set(live)',
    ],
  }),
  ...mutantsOf(
    tokens,
    ...matrix('a token of a person without'),
  )({
    'a missing second factor is not noticed': ['row.requiresTwoFactor && !row.hasSecondFactor', 'false'],
  }),
  ...mutantsOf(
    tokens,
    'integration/auth/oauth/tokens',
  )({
    'revoked approvals': ['if (revokedAt) throw', 'if (false) throw'],
    'tokens of an organization that is not active': ["if (orgStatus !== 'active') throw", 'if (false) throw'],
    'no word about the region of a token': [
      'if (read.region !== this.config.region) throw otherRegion(read.region, this.config.region);',
      '',
    ],
    'a token of each kind is an access token': [
      "if (read.kind !== 'at') throw unauthorized('This is no access token. Exchange it at the token endpoint.');",
      '',
    ],
  }),
  ...mutantsOf(
    'src/auth/api-keys/api-keys.service.ts',
    'integration/auth/api-keys/create-api-key',
  )({
    'a key may more than its maker': ['if (beyond.length > 0) throw', 'if (false) throw'],
    'a key for a person': ["if (member?.kind !== 'machine' || member.status !== 'active')", 'if (false)'],
  }),
  ...mutantsOf(
    'src/auth/api-keys/api-keys.service.ts',
    'integration/api-keys/rotate-api-key',
  )({
    'a rotated key sees more than its maker': [
      'if (caller.propertyIds && !old.propertyIds',
      'if (false && !old.propertyIds',
    ],
    'an ended key is rotated': ["if (old.status !== 'active')", 'if (false)'],
  }),
  ...mutantsOf(
    'src/organizations/roles.service.ts',
    'integration/organizations/create-role',
  )({
    'a role may more than its maker': ['if (lacking.length > 0) throw', 'if (false) throw'],
  }),
  ...mutantsOf(
    'src/organizations/members.service.ts',
    'integration/organizations/update-member',
  )({
    'members beyond the caller’s properties': [
      'if (!isWithin(member.propertyIds, caller.propertyIds)) throw',
      'if (false) throw',
    ],
    'an organization without an owner': ['if (await this.members.isLastOwner(member)) throw', 'if (false) throw'],
  }),
  ...mutantsOf(
    'src/auth/oauth/provider-configuration.ts',
    'integration/auth/oauth/authorization',
  )({
    'no PKCE': ['pkce: { required: () => true },', 'pkce: { required: () => false },'],
    'a token for any resource': ['if (resource !== audience) throw new errors.InvalidTarget();', ''],
  }),
  ...mutantsOf(
    'src/auth/oauth/provider-configuration.ts',
    'integration/auth/oauth/token-exchange',
  )({
    'refresh tokens that stay': ['rotateRefreshToken: true,', 'rotateRefreshToken: false,'],
    'a refresh token without offline_access': ['scopes.has(offlineAccess),', 'true,'],
  }),
  ...mutantsOf(
    'src/auth/oauth/stores.ts',
    'integration/auth/oauth/token-exchange',
  )({
    'a code or a token is used twice': ["throw new errors.InvalidGrant('used already')", 'return'],
  }),
  ...mutantsOf(
    'src/auth/oauth/registration-limit.ts',
    'integration/auth/oauth/registration',
  )({
    'registrations without a limit': ['if (waitMs > 0) throw', 'if (false) throw'],
    'each address of an IPv6 site registers': [".split(':').slice(0, 4)", ".split(':').slice(0, 8)"],
  }),
  ...mutantsOf(
    'src/accounts/attempts.service.ts',
    'integration/accounts/attempts',
  )({
    'guesses without a wait': ['if (waitMs > 0) throw', 'if (false) throw'],
  }),
  ...mutantsOf(
    'src/accounts/second-factors/totp.service.ts',
    'integration/accounts/second-factor',
  )({
    'a code is taken twice': [' and coalesce(last_step, -1) < $2', ''],
  }),
  ...mutantsOf(
    'src/auth/consent/consent.service.ts',
    'integration/auth/oauth/authorization',
  )({
    'consent for an organization of others': ['if (!choice) throw', 'if (false) throw'],
  }),
];
