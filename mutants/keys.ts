import { type Mutant, mutantsOf } from './mutant.js';

const applicationKeys = 'integration/auth/application-keys';
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
  ...mutantsOf('src/auth/api-keys/application-keys.service.ts', applicationKeys, {
    "a password ends other people's keys": [' and g.user_id = $1', ' and $1::uuid is not null'],
  }),
];
