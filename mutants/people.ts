import { type Mutant, mutantsOf, suite } from './mutant.js';

const sessions = 'src/auth/accounts/sessions.repository.ts';
const links = 'src/tenancy/people/mailed-links.service.ts';
const stolen = 'integration/accounts/stolen-password';
const passkeys = 'src/auth/accounts/second-factors/passkeys.service.ts';
const outranked = 'integration/organizations/outranked-member';
const consent = 'src/auth/consent/consent.service.ts';

/** Who somebody is, what they consent to, and what they may give to others. */
export const people: Mutant[] = [
  ...mutantsOf('src/platform/pages/forms.service.ts', 'integration/accounts/sign-in', {
    'forms without a token': [
      'if (token.length !== expected.length || !timingSafeEqual(token, expected))',
      'if (false)',
    ],
    'forms of other sites': '    this.refuseOtherSites(request);\n',
  }),
  ...mutantsOf('src/platform/pages/see-other.ts', 'integration/accounts/sign-in', {
    'a sign-in leads to other sites': ["url?.origin === origin && !url.pathname.startsWith('//') ?", 'url ?'],
  }),
  ...mutantsOf(sessions, 'integration/accounts/sign-in', {
    'sessions that are idle': [' and s.last_seen_at > $4`', ' and $4 <> now()::text`'],
    'sessions for ever': ['s.stage = $2 and s.expires_at > $3', "s.stage = $2 and $3 <> ''"],
  }),
  ...mutantsOf(sessions, 'integration/ops/commands', {
    'an operator ends the sessions of everybody': [
      'delete from sessions where user_id = $1 and id is distinct',
      'delete from sessions where $1::uuid is not null and id is distinct',
    ],
  }),
  ...mutantsOf(sessions, 'integration/accounts/second-factor', {
    'a password is enough where there is a second factor': ['s.stage = $2', "$2 <> ''"],
  }),
  ...mutantsOf(sessions, 'integration/accounts/passwords', {
    'anyone ends a session': ['where user_id = $1 and id::text', 'where $1::text is not null and id::text'],
  }),
  ...mutantsOf('src/auth/accounts/attempts.service.ts', 'integration/accounts/attempts', {
    'guesses without a wait': ['if (waitMs > 0) throw', 'if (false) throw'],
  }),
  ...mutantsOf('src/auth/accounts/second-factors/totp.service.ts', 'integration/accounts/second-factor', {
    'a code is taken twice': ' and coalesce(last_step, -1) < $2',
    'the secret of an authenticator for every session': [
      ' and drafted.session_id is distinct from excluded.session_id',
      ' and drafted.session_id is null',
    ],
  }),
  ...mutantsOf(passkeys, 'integration/accounts/passkeys', {
    'a copied passkey at the same time': ['and counter = $5', 'and $5::bigint is not null'],
    'the challenge of another session': [
      'sessions where id = $1 for update',
      'sessions where $1::uuid is not null for update',
    ],
  }),
  {
    name: 'a passkey of anybody',
    edits: [
      {
        file: passkeys,
        find: "'select credential_id, public_key, counter, transports from passkeys where user_id = $1 order by id'",
        replace:
          "'select credential_id, public_key, counter, transports from passkeys where $1::uuid is not null order by id'",
      },
      {
        file: passkeys,
        find: 'where user_id = $1 and credential_id',
        replace: 'where $1::uuid is not null and credential_id',
      },
    ],
    suite: suite('integration/accounts/passkeys'),
  },
  ...mutantsOf(
    'src/auth/accounts/pages/account.controller.tsx',
    suite('integration/accounts/second-factor', 'another address or password'),
    { 'another address with a password alone': ["requireAnyFactor(request, '/account')", 'require(request)'] },
  ),
  ...mutantsOf(
    'src/auth/accounts/pages/security.controller.tsx',
    suite('integration/accounts/second-factor', 'another address or password'),
    {
      'another password with a password alone': ["requireAnyFactor(request, '/account/security')", 'require(request)'],
    },
  ),
  ...mutantsOf('src/auth/accounts/second-factors/recovery-codes.service.ts', 'integration/accounts/second-factor', {
    'short recovery codes': ['const groups = 4', 'const groups = 3'],
  }),
  ...mutantsOf('src/auth/oauth/provider-configuration.ts', suite('integration/accounts/sign-in', '__Host-'), {
    'cookies of an authorization that http may set': [
      "...(config.baseUrl.startsWith('https:') && { names: secureNames })",
      '...(!secureNames && { names: secureNames })',
    ],
  }),
  ...mutantsOf(links, 'integration/accounts/mailed-links', {
    'a mailed link is used twice': [
      'set used_at = $2 where hash = any($1) and used_at is null and',
      'set used_at = $2 where hash = any($1) and',
    ],
    'a mailed link for ever': [
      'set used_at = $2 where hash = any($1) and used_at is null and expires_at > $2',
      'set used_at = $2 where hash = any($1) and used_at is null',
    ],
  }),
  ...mutantsOf(
    'src/auth/accounts/password-changes.service.ts',
    suite('integration/accounts/passwords', 'links|along'),
    {
      'mailed links outlive the password': [
        "await this.links.endAll(['reset', 'email-change'], ending.userId);",
        'await Promise.resolve(0);',
      ],
    },
  ),
  ...mutantsOf('src/auth/accounts/device-cookie.ts', suite('integration/accounts/attempts', 'a device on which'), {
    'a known device for anybody': ['return isOurs ? id : undefined;', 'return isOurs || id ? id : undefined;'],
    'a known device for ever': 'if (Date.now() - Number(signedInAt) >= worksForMs) return undefined;',
    'a known device after a change of the password': ['[userId, passwordHash, id, at]', '[userId, id, at]'],
  }),
  ...mutantsOf('src/auth/accounts/sign-in.service.ts', suite('integration/accounts/sign-up', 'on the start page'), {
    'who has just signed up has no sign-in in their history':
      "    await this.noteSignIn(request, userId, ['password']);\n",
  }),
  ...mutantsOf('src/auth/accounts/sign-in.service.ts', suite('integration/accounts/attempts', 'a device on which'), {
    'no device is known': ['if (!owner || !device) return', 'if (!owner || device !== null) return'],
    'a known device guesses without a bound': [
      "return [[shared[0] === 'code' ? 'code' : 'device', `${owner.id} ${device}`]];",
      'return [];',
    ],
  }),
  ...mutantsOf(
    'src/auth/accounts/password-changes.service.ts',
    suite('integration/accounts/passwords', 'same statements'),
    {
      'a request for a new password tells who has an account': [
        'await this.letters.request(email);',
        'if (await this.letters.write(email)) await this.letters.request(email);',
      ],
    },
  ),
  ...mutantsOf('src/auth/accounts/access-endings.service.ts', suite(stolen, 'a stolen password'), {
    'approvals outlive the password': [
      "await this.approvals.end(id, 'password', () => act);",
      'await Promise.resolve([id, act]);',
    ],
    'keys of applications outlive the password': [
      'await this.keys.revokeOfPerson(userId, act);',
      'await Promise.resolve([]);',
    ],
    'sessions outlive the password': [
      'await this.sessions.endAll(userId, keptSessionId);',
      "await Promise.resolve(keptSessionId === '' ? 1 : 0);",
    ],
  }),
  ...mutantsOf('src/auth/accounts/access-endings.service.ts', suite(stolen, 'API keys that a stolen password'), {
    'keys that outlive the password are not named': ['await this.ownKeys.list(userId)', '[]'],
  }),
  ...mutantsOf('src/auth/api-keys/person-keys.service.ts', suite(stolen, 'API keys that a stolen password'), {
    'keys of organizations that a person has left are theirs': [" and m.status = 'active'", ''],
    'keys of others are a person’s': [' and m.user_id = $1', ' and $1::uuid is not null'],
    'all keys end in place of one': ['.filter(chosen)', ''],
  }),
  ...mutantsOf('src/auth/accounts/pages/own-keys.controller.ts', suite(stolen, 'API keys that a stolen password'), {
    'keys end in an old session': ['this.sessions.requireFresh(request, path)', 'this.sessions.require(request)'],
  }),
  ...mutantsOf(
    'src/auth/accounts/pages/mailed-links.controller.tsx',
    suite(stolen, 'API keys that a stolen password'),
    {
      'a reset does not lead to the keys': [
        'if (ended.keptKeys.length > 0) next =',
        'if (ended.keptKeys.length < 0) next =',
      ],
    },
  ),
  ...mutantsOf(sessions, suite(stolen, 'gets no further'), {
    'an approval slips past a change of the password': "if (!live) throw new SeeOther('/sign-in');",
    'a sign-in slips past a change of the password': ['u.password_hash = $9 for share', '$9::text is not null'],
  }),
  ...mutantsOf(sessions, 'integration/accounts/api-keys-page', {
    'sensitive actions of an old session': ['    if (isFresh(signedIn)) return signedIn;', '    return signedIn;'],
  }),
  ...mutantsOf('src/auth/api-keys-page/api-keys-page.controller.tsx', 'integration/accounts/api-keys-page', {
    'keys are made in an old session': '    await this.sessions.requireFresh(request, wayBack(fields));\n',
    'what was typed is lost while one confirms who one is': ['wayBack(fields)', 'path'],
  }),
  ...mutantsOf('src/auth/accounts/pages/security.controller.tsx', suite('integration/accounts/passwords', 'last ten'), {
    'an old session ends one other': [
      "async endSession(@Req() request: Request): Promise<void> {\n    const signedIn = await this.sessions.requireFresh(request, '/account/security');",
      'async endSession(@Req() request: Request): Promise<void> {\n    const signedIn = await this.sessions.require(request);',
    ],
    'an old session ends all others': [
      "async endAllSessions(@Req() request: Request): Promise<void> {\n    const signedIn = await this.sessions.requireFresh(request, '/account/security');",
      'async endAllSessions(@Req() request: Request): Promise<void> {\n    const signedIn = await this.sessions.require(request);',
    ],
  }),
  ...mutantsOf('src/auth/consent/consent.controller.tsx', suite(stolen, 'sensitive permissions'), {
    'sensitive scopes are shown to an old session': [
      'if (isSensitive(asked)) await this.sessions.requireFresh(request, pathOf(asked));\n',
      '',
    ],
    'sensitive scopes are approved in an old session': [
      'if (isSensitive(asked) && !isFresh(signedIn, Date.parse(asked.askedAt)))\n      await this.sessions.requireFresh(request, pathOf(asked));\n',
      '',
    ],
  }),
  ...mutantsOf('src/auth/accounts/session.ts', suite('integration/accounts/second-factor', 'joined by another'), {
    'a password counts as a factor': [
      'signedIn.hasSecondFactor ? signedIn.factorAt !== null && isRecent(signedIn.factorAt) : isFresh(signedIn)',
      'isFresh(signedIn)',
    ],
  }),
  ...mutantsOf(
    'src/auth/accounts/pages/second-factor-removal.controller.tsx',
    suite('integration/accounts/second-factor', 'is removed with a code'),
    {
      'a factor is removed without one':
        'if (!isProved) return await this.renderRemoval(response, signedIn, factor, wrongFactor);',
    },
  ),
  ...mutantsOf('src/tenancy/members/invitations.service.ts', 'integration/accounts/mailed-links', {
    'an invitation’s link outlives it': [' || to.length === 0', ''],
  }),
  ...mutantsOf('src/auth/sign-up/sign-up.service.ts', 'integration/accounts/sign-up', {
    'anybody signs up where only the invited may': "if (this.config.signUp !== 'open') throw isNotOpen();",
    'sign-up letters without a limit': ["        ['mail', email],\n", ''],
  }),
  ...mutantsOf('src/auth/sign-up/sign-up-link.ts', 'integration/accounts/sign-up', {
    'a sign-up link works for ever': [
      'Date.now() < until ? applicant : undefined',
      'until > 0 ? applicant : undefined',
    ],
  }),
  ...mutantsOf('src/auth/accounts/held-form.ts', 'integration/accounts/own-account', {
    'a form of an ended session is given to anybody': ['this.devices.isOf(device, owner) ? held', 'owner ? held'],
    'a form with a secret is kept': ['Object.keys(sent).some((field) => secrets.test(field)) || ', ''],
  }),
  ...mutantsOf('src/auth/leaving/departures.service.ts', 'integration/accounts/own-account', {
    'the last owner leaves': ['if (alone.length > 0) throw', 'if (false) throw'],
    'keys outlive the membership': ['await this.keys.revoke(userId, act, ({ orgId }) => left.has(orgId));', ''],
    'one leaves all organizations for one': [
      ' and org_id = any($2) and status',
      ' and $2::uuid[] is not null and status',
    ],
  }),
  ...mutantsOf('src/tenancy/members/members.service.ts', 'integration/organizations/invite-member', {
    'a member is invited again by another address':
      'if (await this.members.findByUser(caller.orgId, userId)) throw memberExists(input.email);',
    'an invitation tells whose account an address has': [
      "{ userId: null, status: 'invited' }",
      "{ userId, status: 'invited' }",
    ],
  }),
  ...mutantsOf('src/tenancy/members/member-activity.service.ts', 'integration/organizations/invite-member', {
    'an invitation tells of a second factor': [" and m.status <> 'invited'", ''],
  }),
  ...mutantsOf(
    'src/outside/webhooks/dispatch-statements.ts',
    suite('integration/events/webhook-deliveries', 'is closed'),
    {
      'a closed organization sends deliveries': ["join organizations o on o.id = e.org_id and o.status = 'active'", ''],
    },
  ),
  ...mutantsOf(
    'src/outside/connections/connections.repository.ts',
    suite('integration/connections/connections', 'is closed'),
    {
      'a closed organization syncs': [" and o.status = 'active'", ''],
    },
  ),
  ...mutantsOf('src/tenancy/closing/closings.service.ts', 'integration/ops/portability', {
    'managers close organizations': [" and r.built_in = 'owner'", ''],
    'an organization is reopened when it is erased': [
      ' and erased_at is null and closed_at > $2',
      ' and $2::text is not null',
    ],
  }),
  ...mutantsOf('src/processes/portability/importer.service.ts', 'integration/ops/portability', {
    'an import writes into other organizations': ["column === 'org_id'", "column === ''"],
    'an import raises quotas': ['{ ...kept, ...opened }', '{ ...organization, ...opened }'],
    'a rejected import leaves files': 'for (const path of stored) await this.files.remove(path);',
  }),
  ...mutantsOf('src/processes/portability/import-lines.ts', 'integration/ops/portability', {
    'an import takes any id of a file': ["typeof id !== 'string' || !isFileId.test(id)", 'id === null'],
  }),
  ...mutantsOf('src/features/tasks/attachments/local-disk.store.ts', 'integration/ops/portability', {
    'a file is read and written outside of the folder': ['ownPath.test(path)', 'path'],
  }),
  ...mutantsOf('src/auth/approvals-page/rules-page.controller.tsx', 'integration/ops/portability', {
    'rules are shown without the demanded factor': ['if (standing.caller?.secondFactorMissing)', 'if (false)'],
  }),
  ...mutantsOf('src/auth/organization-page/organization-page.controller.tsx', 'integration/ops/portability', {
    'an organization is exported without the demanded factor': ['found.requireTwoFactor && !hasSecondFactor', 'false'],
    'an organization is closed by mistake': [
      "done !== 'closed' || name?.trim() === organization.name",
      'name !== organization.id',
    ],
    'an old session downloads an export': [
      'async download(@Req() request: Request, @Res() response: Response): Promise<void> {\n    const signedIn = await this.sessions.requireFreshFactor(request);',
      'async download(@Req() request: Request, @Res() response: Response): Promise<void> {\n    const signedIn = await this.sessions.require(request);',
    ],
  }),
  ...mutantsOf('src/auth/leaving/departures.service.ts', 'integration/accounts/own-account', {
    'invitations keep the address of a deleted account':
      'await this.database.rows(invitedAs, [uuidIn(userId), email]);',
  }),
  ...mutantsOf('src/auth/leaving/leaving.controller.tsx', 'integration/accounts/own-account', {
    'an old session leaves an organization': [
      "await this.sessions.requireFresh(request, '/account')",
      'await this.sessions.require(request)',
    ],
  }),
  ...mutantsOf('src/tenancy/people/accounts.errors.ts', 'integration/accounts/sign-up', {
    'common passwords are accepted': ['if (isCommonPassword(password))', 'if (false)'],
  }),
  ...mutantsOf('src/auth/accounts/pages/invitation.controller.tsx', 'integration/accounts/mailed-links', {
    'an invitation signs in without a password': ['if (joined.isCreated) await', 'if (joined.slug) await'],
  }),
  ...mutantsOf(
    'src/auth/accounts/second-factors.service.ts',
    suite('integration/accounts/second-factor', 'an authenticator'),
    {
      'sessions of the password alone stay': 'await this.sessions.endAll(userId, sessionId);',
    },
  ),
  ...mutantsOf(consent, 'integration/auth/oauth/authorization', {
    'consent for an organization of others': ['if (!choice) throw', 'if (false) throw'],
    'consent where the application is not admitted': ['if (choice.isForbidden)', 'if (false)'],
  }),
  ...mutantsOf('src/auth/consent/consent.controller.tsx', 'integration/auth/oauth/authorization', {
    'one request is approved at the address of another': [
      'if (!asked || asked.uid !== request.params.uid)',
      'if (!asked)',
    ],
    'consent without a sign-in that is asked for anew':
      ' || (asked.signInAfter && signedIn.passwordAt < asked.signInAfter)',
  }),
  ...mutantsOf('src/tenancy/roles/roles.service.ts', 'integration/organizations/create-role', {
    'a role may more than its maker': [
      'if (lacking.length > 0) throw permissionsBeyondCaller',
      'if (false) throw permissionsBeyondCaller',
    ],
  }),
  ...mutantsOf('src/tenancy/roles/roles.service.ts', 'integration/organizations/update-role', {
    'a built-in role is changed': 'if (role.builtIn) throw roleIsBuiltIn(role.builtIn);',
  }),
  ...mutantsOf('src/tenancy/members/members.service.ts', 'integration/organizations/update-member', {
    'members beyond the caller’s properties': '    refuseBeyondLimit(caller, member.propertyIds);\n',
    'an organization without an owner': ['if (await this.members.isLastOwner(member)) throw', 'if (false) throw'],
    'the last owner is limited': ["(role && role.builtIn !== 'owner') || limit", "role && role.builtIn !== 'owner'"],
  }),
  ...mutantsOf('src/tenancy/members/members.service.ts', outranked, {
    'members who may more than the caller': '    await this.refuseWhoMayMore(caller, member);\n',
  }),
  ...mutantsOf('src/tenancy/members/member-permissions.repository.ts', outranked, {
    'machines that may more than the caller': [
      'permissionsOf({ builtIn, permissions }) : scopes',
      'permissionsOf({ builtIn, permissions }) : []',
    ],
    'a machine has what its revoked keys permitted': ['and k.revoked_at is null and', 'and'],
  }),
  ...mutantsOf('src/platform/callers/permissions.ts', outranked, {
    'publishing is taken from those who have it': " || name.endsWith(':publish')",
    'secrets are taken from those who have them': ["permissions[name].group === 'sensitive'", 'false'],
  }),
  ...mutantsOf('src/tenancy/roles/roles.service.ts', outranked, {
    'a role is stripped of what the caller lacks': [
      'if (lacking.length > 0) throw permissionsToKeep',
      'if (false) throw permissionsToKeep',
    ],
  }),
  ...mutantsOf('src/tenancy/members/members.repository.ts', 'integration/organizations/update-member', {
    'only owners of some properties are left': ' and property_ids is null',
  }),
  ...mutantsOf(
    'src/auth/accounts/password-changes.service.ts',
    suite('integration/accounts/passwords', 'still waits'),
    {
      'a reset letter is sent after the password was changed': 'await this.letters.withdraw(email);',
    },
  ),
];
