import { type Mutant, mutantsOf } from './mutant.js';

const applicationKeys = 'integration/auth/application-keys';
const limits = 'integration/auth/api-keys/key-limits';
const removal = 'integration/organizations/remove-member';

/** Whose an API key is, and with whom it ends. */
export const keys: Mutant[] = [
  ...mutantsOf('src/organizations/members.service.ts', removal, {
    'keys outlive the member who created them': [
      'keepKeys ? [] : await this.departures.endKeysOf(caller, member)',
      '[] as string[]',
    ],
    'keys end though they were to stay': ['keepKeys ? [] : ', ''],
  }),
  ...mutantsOf('src/auth/api-keys/made-keys.ts', removal, {
    'keys outlive the key that created them': [
      'select k.org_id, k.id from api_keys k join made on k.org_id = made.org_id and k.made_with = made.id)',
      'select * from made where false)',
    ],
  }),
  ...mutantsOf('src/auth/api-keys/api-keys.service.ts', removal, {
    'a key is created while its maker is removed': [
      'await this.holdMaker(caller);\n    const propertyIds',
      'const propertyIds',
    ],
    'a key is rotated while its maker is removed': ['await this.holdMaker(caller);\n    const old', 'const old'],
  }),
  ...mutantsOf('src/auth/api-keys/api-keys.service.ts', applicationKeys, {
    "an operator's keys are an owner's": [
      'if (isOperator(caller)) return { createdBy: null, applicationId: null, madeWith: null };',
      '',
    ],
  }),
  ...mutantsOf('src/auth/credentials.service.ts', applicationKeys, {
    "an application's key creates keys of nobody": [
      '...(row.applicationId && { applicationId: row.applicationId }),',
      '',
    ],
  }),
  ...mutantsOf('src/auth/applications/applications.service.ts', applicationKeys, {
    'keys outlive the application that is revoked': [
      'await this.keys.revokeMadeThrough(caller, grant.id);\n    return grant;',
      'return grant;',
    ],
    'keys outlive the application that is forbidden': [
      'await this.keys.revokeMadeThrough(caller, grant.id);\n    }',
      '}',
    ],
  }),
  ...mutantsOf('src/auth/oauth/approvals.service.ts', applicationKeys, {
    'keys outlive the approval that its person ends':
      "if (because !== 'unused') await this.keys.revokeOfApproval(ended, act, await this.actorOf(act, ended));",
    'keys end with an approval that lapses': ["if (because !== 'unused') await", 'await'],
    'keys outlive the approval that took the place of theirs': 'await this.keys.handOver(replaced, grant);',
  }),
  ...mutantsOf('src/edge/allowed-addresses.guard.ts', limits, {
    'a key works from any address': ['if (isWithinRanges(ip, allowed)) return true;', 'if (ip) return true;'],
  }),
  ...mutantsOf('libs/access/addresses.ts', limits, {
    'an IPv4 address within IPv6 is another one': [
      'isMapped ? [network.toIPv4Address(), bits - 96] : [network, bits]',
      'isMapped ? [network, bits] : [network, bits]',
    ],
    'a range within is any that touches': ['bits <= innerBits && ', ''],
  }),
  ...mutantsOf('src/global-entry/headers.ts', limits, {
    'a client of the global entry chooses its address': ['const known = trustsProxies ? ', 'const known = true ? '],
  }),
  ...mutantsOf('src/auth/api-keys/api-keys.service.ts', limits, {
    'a key creates one that works elsewhere': [
      'if (!isWithinLimit(caller, ranges)) throw addressesBeyondCreator();',
      '',
    ],
    'a key creates one that works anywhere': [
      'caller.credential.allowedAddresses ? [...caller.credential.allowedAddresses] : null',
      'null',
    ],
    'a key rotates one that works elsewhere':
      'if (!isWithinLimit(caller, allowedAddresses)) throw addressesBeyondCreator();',
    'a key works longer than the organization allows':
      'if (latest && asked && new Date(asked).toISOString() > latest) throw expiresTooLate(latest);',
    'a key without an expiry works for ever': ['return asked ?? latest;', 'return asked;'],
    'a rotated key works longer than the organization allows': ['expiresAt: earlier(expiresAt, latest),', 'expiresAt,'],
  }),
  ...mutantsOf('src/auth/api-keys/application-keys.service.ts', applicationKeys, {
    "a password ends other people's keys": [' and g.user_id = $1', ' and $1::uuid is not null'],
  }),
];
