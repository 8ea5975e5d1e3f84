import { type Mutant, mutantsOf, suite } from './mutant.js';

const applicationKeys = 'integration/auth/application-keys';
const limits = 'integration/auth/api-keys/key-limits';
const leaked = 'integration/auth/api-keys/leaked-keys';
const removal = 'integration/organizations/remove-member';

/** The owner of an API key, and what ends it. */
export const keys: Mutant[] = [
  ...mutantsOf('src/tenancy/members/members.service.ts', removal, {
    'keys outlive the member who created them': [
      'keepKeys ? [] : await this.followers.memberRemoved(caller, member)',
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
      'await this.lockCreator(caller);\n    const propertyIds',
      'const propertyIds',
    ],
    'a key is rotated while its maker is removed': [
      'await this.lockCreator(caller, keyId);\n    const old',
      'const old',
    ],
  }),
  ...mutantsOf('src/auth/api-keys/new-key.ts', applicationKeys, {
    "an operator's keys are an owner's": [
      'if (!isMember(caller)) return { createdBy: null, applicationId: null, madeWith: null };',
      '',
    ],
  }),
  ...mutantsOf('src/auth/bearer/credentials.service.ts', applicationKeys, {
    "an application's key creates keys of nobody": [
      '...(row.applicationId && { applicationId: row.applicationId }),',
      '',
    ],
  }),
  ...mutantsOf('src/auth/applications/applications.service.ts', applicationKeys, {
    'keys outlive the application that is revoked': ['await this.keys.revokeMadeThrough(caller, grant.id);\n', ''],
    'keys outlive the application that is forbidden': [
      'await this.keys.revokeMadeThrough(caller, after.id);\n    }',
      '}',
    ],
  }),
  ...mutantsOf('src/auth/oauth/grants.service.ts', applicationKeys, {
    'keys outlive the approval that its person ends':
      "if (because !== 'unused') await this.keys.revokeOfApproval(after, act, await this.actorOf(act, after));",
    'keys end with an approval that lapses': ["if (because !== 'unused') await", 'await'],
    'keys outlive the approval that took the place of theirs': 'await this.keys.handOver(replaced.after, grant);',
  }),
  ...mutantsOf('src/edge/guards/allowed-addresses.guard.ts', limits, {
    'a key works from any address': ['if (isWithinRanges(ip, allowedAddresses)) return true;', 'if (ip) return true;'],
  }),
  ...mutantsOf('libs/access/addresses.ts', limits, {
    'an IPv4 address within IPv6 is another one': [
      'isMapped ? [network.toIPv4Address(), bits - 96] : [network, bits]',
      'isMapped ? [network, bits] : [network, bits]',
    ],
    'a range within is any that touches': ['bits <= innerBits && ', ''],
  }),
  ...mutantsOf('src/processes/global-entry/headers.ts', limits, {
    'a client of the global entry chooses its address': ['const known = trustsProxies ? ', 'const known = true ? '],
  }),
  ...mutantsOf('src/auth/api-keys/new-key.ts', limits, {
    'a key creates one that works elsewhere': [
      'if (!isWithinLimit(caller, ranges)) throw addressesBeyondCreator();',
      '',
    ],
    'a key creates one that works anywhere': ['limitOf(caller)?.slice() ?? null', 'null'],
  }),
  ...mutantsOf('src/auth/api-keys/api-keys.service.ts', limits, {
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
  ...mutantsOf('src/auth/api-keys/leaked/leaked-keys.controller.ts', leaked, {
    'leaked keys are reported without a limit': [
      'if (waitMs > 0) throw tooManyReports(reports.limit, Math.ceil(waitMs / 1_000));',
      'if (waitMs < 0) throw tooManyReports(reports.limit, 0);',
    ],
    'a leaked key is reported from each address of a network': ['sourceOf(request.ip)', 'request.ip'],
    'a report of a leaked key that is too long is refused': ['.catch(() => undefined)', ''],
    'the time of an answer tells whether a leaked key is known': [', wait(answerAfterMs)]', ', wait(0)]'],
  }),
  ...mutantsOf('src/auth/api-keys/leaked/leaked-key-report.ts', leaked, {
    'a report of no leaked key is a fault': [
      "typeof report?.key === 'string' ? report.key : undefined",
      'report?.key as string',
    ],
    'a malformed report of a leaked key is a fault': [
      '    return undefined;\n  }',
      "    throw new Error('malformed');\n  }",
    ],
  }),
  ...mutantsOf('src/auth/api-keys/leaked/leaked-keys.service.ts', leaked, {
    'a leaked key that was revoked is revoked again': ['revoked_at is null and ', ''],
    'a leaked key that expired is revoked': ['(expires_at is null or expires_at > $2)', '$2::timestamptz is not null'],
    'a leaked key is revoked once for each report': [' for no key update', ''],
    'a leaked key is revoked for no reason': ["'leaked')", "'requested')"],
    'a leaked key is revoked and nobody knows why': [
      'this.audit.during(act, () => this.events.recordAbove(service, apiKeyRevoked, after, before))',
      'this.events.recordAbove(service, apiKeyRevoked, after, before)',
    ],
    'nobody is written to about a leaked key': 'await this.notifyOwners(after);',
    'everybody is written to about a leaked key': [" and r.built_in = 'owner'", ''],
    'an owner who is gone is written to about a leaked key': [" and m.status = 'active'", ''],
    'a fault at the report of a leaked key is a fault of ours': ['throw reportFailed(error);', 'throw error;'],
  }),
  ...mutantsOf('src/auth/api-keys/leaked/leaked-key-mail.ts', leaked, {
    'the name of a leaked key is a line of the letter': ['${quoted(name)}', '${name}'],
  }),
  ...mutantsOf('src/processes/global-entry/leaked-keys-entry.controller.ts', leaked, {
    'a leaked key is not forwarded to its region': 'if (cell) return await cell.answer(request, response, body);',
    'a report of a leaked key that is too long is refused by the entry': ['.catch(() => undefined)', ''],
  }),
  ...mutantsOf('src/auth/api-keys/api-keys.repository.ts', 'integration/api-keys/rotate-api-key', {
    'two that rotate the same key wait for each other':
      'if (keyId) await this.database.rows(orgId, keysInOrder, [uuidIn(orgId), [uuidIn(id), uuidIn(keyId)]]);',
  }),
  ...mutantsOf('src/auth/accounts/access-endings.service.ts', applicationKeys, {
    'a password and the end of an approval wait for each other': 'await this.grants.lockLive(userId);',
  }),
  ...mutantsOf('src/platform/migrations/1700000000102-keys-and-makers.ts', suite(applicationKeys, 'the migration'), {
    "an operator's key that was there belongs to a member": [
      'case when m.is_operator then null else k.created_by end',
      'k.created_by',
    ],
    'a key that was there belongs to an approval that was replaced': ['coalesce(live.id, g.id)', 'g.id'],
    'a key that was there, created with another, ends with no application': [
      'from made where made.org_id = k.org_id',
      'from made where false and made.org_id = k.org_id',
    ],
    'a key that was there does not end with the one it was created with': [
      'made_with = m.made_with',
      'made_with = null',
    ],
  }),
];
