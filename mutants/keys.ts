import { type Mutant, mutantsOf, suite } from './mutant.js';

const applicationKeys = 'integration/auth/application-keys.slow';
const limits = 'integration/auth/api-keys/key-limits';
const leaked = 'integration/auth/api-keys/leaked-keys';
const removal = 'integration/organizations/remove-member';

/** The owner of an API key, and what ends it. */
export const keys: Mutant[] = [
  ...mutantsOf('src/tenancy/members/members.service.ts', removal, {
    'keys stay valid after their creator is removed': [
      'keepKeys ? [] : await this.followers.memberRemoved(caller, member)',
      '[] as string[]',
    ],
    'keys end although they were to be kept': ['keepKeys ? [] : ', ''],
  }),
  ...mutantsOf('src/auth/api-keys/made-keys.ts', removal, {
    'keys stay valid after the key that created them has ended': [
      'select k.org_id, k.id from api_keys k join made on k.org_id = made.org_id and k.made_with = made.id)',
      'select * from made where false)',
    ],
  }),
  ...mutantsOf('src/auth/api-keys/api-keys.service.ts', removal, {
    'a key is created while its creator is being removed': [
      'await this.lockCreator(caller);\n    const propertyIds',
      'const propertyIds',
    ],
    'a key is rotated while its creator is being removed': [
      'await this.lockCreator(caller, keyId);\n    const old',
      'const old',
    ],
  }),
  ...mutantsOf('src/auth/api-keys/new-key.ts', applicationKeys, {
    'an operator’s keys belong to an owner': [
      'if (!isMember(caller)) return { createdBy: null, applicationId: null, madeWith: null };',
      '',
    ],
  }),
  ...mutantsOf('src/auth/bearer/credentials.service.ts', applicationKeys, {
    'keys created with an application’s key belong to nobody': [
      '...(row.applicationId && { applicationId: row.applicationId }),',
      '',
    ],
  }),
  ...mutantsOf('src/auth/applications/applications.service.ts', applicationKeys, {
    'keys stay valid after their application is revoked': [
      'await this.keys.revokeMadeThrough(caller, grant.id);\n',
      '',
    ],
    'keys stay valid after their application is forbidden': [
      'await this.keys.revokeMadeThrough(caller, after.id);\n    }',
      '}',
    ],
  }),
  ...mutantsOf('src/auth/oauth/grants.service.ts', applicationKeys, {
    'keys stay valid after the person ends their approval':
      "if (because !== 'unused') await this.keys.revokeOfApproval(after, act, await this.actorOf(act, after));",
    'keys end when their approval lapses': ["if (because !== 'unused') await", 'await'],
    'keys stay valid after the approval that replaced theirs has ended':
      'await this.keys.handOver(replaced.after, grant);',
  }),
  ...mutantsOf('src/edge/guards/allowed-addresses.guard.ts', limits, {
    'a key works from any address': ['if (isWithinRanges(ip, allowedAddresses)) return true;', 'if (ip) return true;'],
  }),
  ...mutantsOf('libs/access/addresses.ts', limits, {
    'an IPv4-mapped IPv6 address counts as another address': [
      'isMapped ? [network.toIPv4Address(), bits - 96] : [network, bits]',
      'isMapped ? [network, bits] : [network, bits]',
    ],
    'a range that overlaps counts as contained': ['bits <= innerBits && ', ''],
  }),
  ...mutantsOf('src/processes/global-entry/headers.ts', limits, {
    'a client of the global entry can fake its address': ['const known = trustsProxies ? ', 'const known = true ? '],
  }),
  ...mutantsOf('src/auth/api-keys/new-key.ts', limits, {
    'a key creates one for other addresses': [
      'if (!isWithinLimit(caller, ranges)) throw addressesBeyondCreator();',
      '',
    ],
    'a key creates one without an address limit': ['limitOf(caller)?.slice() ?? null', 'null'],
  }),
  ...mutantsOf('src/auth/api-keys/api-keys.service.ts', limits, {
    'a key rotates one with other addresses':
      'if (!isWithinLimit(caller, allowedAddresses)) throw addressesBeyondCreator();',
    'a key works longer than the organization allows':
      'if (latest && asked && new Date(asked).toISOString() > latest) throw expiresTooLate(latest);',
    'a key without an expiry never expires': ['return asked ?? latest;', 'return asked;'],
    'a rotated key works longer than the organization allows': ['expiresAt: earlier(expiresAt, latest),', 'expiresAt,'],
  }),
  ...mutantsOf('src/auth/api-keys/application-keys.service.ts', applicationKeys, {
    'changing a password ends other people’s keys': [' and g.user_id = $1', ' and $1::uuid is not null'],
  }),
  ...mutantsOf('src/auth/api-keys/leaked/leaked-keys.controller.ts', leaked, {
    'no limit on reports of leaked keys': [
      'if (waitMs > 0) throw tooManyReports(reports.limit, Math.ceil(waitMs / 1_000));',
      'if (waitMs < 0) throw tooManyReports(reports.limit, 0);',
    ],
    'each address of a network has its own limit of reports': ['sourceOf(request.ip)', 'request.ip'],
    'an oversized report of a leaked key is rejected': ['.catch(() => undefined)', ''],
    'the response time reveals whether a leaked key is known': [', wait(answerAfterMs)]', ', wait(0)]'],
  }),
  ...mutantsOf('src/auth/api-keys/leaked/leaked-key-report.ts', leaked, {
    'a report without a key is rejected': [
      "typeof report?.key === 'string' ? report.key : undefined",
      'report?.key as string',
    ],
    'a malformed report of a leaked key is rejected': [
      '    return undefined;\n  }',
      "    throw new Error('malformed');\n  }",
    ],
  }),
  ...mutantsOf('src/auth/api-keys/leaked/leaked-keys.service.ts', leaked, {
    'a revoked key is revoked again after a report': ['revoked_at is null and ', ''],
    'an expired key is revoked after a report': [
      '(expires_at is null or expires_at > $2)',
      '$2::timestamptz is not null',
    ],
    'simultaneous reports revoke a leaked key repeatedly': [' for no key update', ''],
    'the event of a leaked key gives another reason': ["'leaked')", "'requested')"],
    'the audit entry of a leaked key gives no reason': [
      'this.audit.during(act, () => this.events.recordAbove(service, apiKeyRevoked, after, before))',
      'this.events.recordAbove(service, apiKeyRevoked, after, before)',
    ],
    'no letter about a leaked key is sent': 'await this.notifyOwners(after);',
    'every member gets a letter about a leaked key': [" and r.built_in = 'owner'", ''],
    'a removed owner gets a letter about a leaked key': [" and m.status = 'active'", ''],
    'a failed report of a leaked key returns an internal error': ['throw reportFailed(error);', 'throw error;'],
  }),
  ...mutantsOf('src/auth/api-keys/leaked/leaked-key-mail.ts', leaked, {
    'the name of a leaked key is not quoted in the letter': ['${quoted(name)}', '${name}'],
  }),
  ...mutantsOf('src/processes/global-entry/leaked-keys-entry.controller.ts', leaked, {
    'a leaked key is not forwarded to its region': 'if (cell) return await cell.answer(request, response, body);',
    'the global entry rejects an oversized report of a leaked key': ['.catch(() => undefined)', ''],
  }),
  ...mutantsOf('src/auth/api-keys/api-keys.repository.ts', 'integration/api-keys/rotate-api-key', {
    'two rotations of the same key deadlock':
      'if (keyId) await this.database.rows(orgId, keysInOrder, [uuidIn(orgId), [uuidIn(id), uuidIn(keyId)]]);',
  }),
  ...mutantsOf('src/auth/accounts/access-endings.service.ts', applicationKeys, {
    'a password change and the end of an approval deadlock': 'await this.grants.lockLive(userId);',
  }),
  ...mutantsOf('src/platform/migrations/1700000000102-keys-and-makers.ts', suite(applicationKeys, 'the migration'), {
    'an operator’s existing key gets a member as its creator': [
      'case when m.is_operator then null else k.created_by end',
      'k.created_by',
    ],
    'an existing key belongs to an approval that was replaced': ['coalesce(live.id, g.id)', 'g.id'],
    'an existing key that was created with another outlives the application': [
      'from made where made.org_id = k.org_id',
      'from made where false and made.org_id = k.org_id',
    ],
    'an existing key outlives the key it was created with': ['made_with = m.made_with', 'made_with = null'],
  }),
];
