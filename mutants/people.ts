import { type Mutant, mutantsOf, suite } from './mutant.js';

const stolen = 'integration/accounts/stolen-password';
const outranked = 'integration/organizations/outranked-member';
const consent = 'src/auth/consent/consent.service.ts';

/** Who becomes a member, what they consent to, and what they may grant. */
export const people: Mutant[] = [
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
  ...mutantsOf('src/tenancy/members/new-members.service.ts', 'integration/organizations/invite-member', {
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
  ...mutantsOf('src/tenancy/people/accounts.errors.ts', 'integration/accounts/sign-up', {
    'common passwords are accepted': ['if (isCommonPassword(password))', 'if (false)'],
  }),
  ...mutantsOf('src/auth/accounts/pages/invitation.controller.tsx', 'integration/accounts/mailed-links', {
    'an invitation signs in without a password': ['if (joined.isCreated) await', 'if (joined.slug) await'],
  }),
  ...mutantsOf(consent, 'integration/auth/oauth/consent', {
    'consent for an organization of others': ['if (!choice) throw', 'if (false) throw'],
    'consent where the application is not admitted': ['if (choice.isForbidden)', 'if (false)'],
  }),
  ...mutantsOf('src/auth/consent/consent.controller.tsx', 'integration/auth/oauth/consent', {
    'one request is approved at the address of another': [
      'if (!asked || asked.uid !== request.params.uid)',
      'if (!asked)',
    ],
  }),
  ...mutantsOf('src/auth/consent/consent.controller.tsx', 'integration/auth/oauth/authorization', {
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
];
