import { type Mutant, mutantsOf, suite } from './mutant.js';

const stolen = 'integration/accounts/stolen-password.slow';
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
  ...mutantsOf('src/tenancy/members/invitations.service.ts', 'integration/accounts/mailed-links.slow', {
    'the link of an invitation works after it is withdrawn': [' || to.length === 0', ''],
  }),
  ...mutantsOf('src/auth/sign-up/sign-up.service.ts', 'integration/accounts/sign-up', {
    'anyone signs up where an invitation is required': "if (this.config.signUp !== 'open') throw isNotOpen();",
    'no limit on sign-up letters': ["        ['mail', email],\n", ''],
  }),
  ...mutantsOf('src/auth/sign-up/sign-up-link.ts', 'integration/accounts/sign-up', {
    'a sign-up link works forever': ['Date.now() < until ? applicant : undefined', 'until > 0 ? applicant : undefined'],
  }),
  ...mutantsOf('src/tenancy/members/new-members.service.ts', 'integration/organizations/invite-member', {
    'a member is invited again at another address':
      'if (await this.members.findByUser(caller.orgId, userId)) throw memberExists(input.email);',
    'an invitation reveals whether an address has an account': [
      "{ userId: null, status: 'invited' }",
      "{ userId, status: 'invited' }",
    ],
  }),
  ...mutantsOf('src/tenancy/members/member-activity.service.ts', 'integration/organizations/invite-member', {
    'an invitation reveals a second factor': [" and m.status <> 'invited'", ''],
  }),
  ...mutantsOf('src/tenancy/people/accounts.errors.ts', 'integration/accounts/sign-up', {
    'common passwords are accepted': ['if (isCommonPassword(password))', 'if (false)'],
  }),
  ...mutantsOf('src/auth/accounts/pages/invitation.controller.tsx', 'integration/accounts/mailed-links.slow', {
    'an invitation signs in without a password': ['if (joined.isCreated) await', 'if (joined.slug) await'],
  }),
  ...mutantsOf(consent, 'integration/auth/oauth/consent', {
    'consent is given for another organization': ['if (!choice) throw', 'if (false) throw'],
    'consent is given where the application is not allowed': ['if (choice.isForbidden)', 'if (false)'],
  }),
  ...mutantsOf('src/auth/consent/consent.controller.tsx', 'integration/auth/oauth/consent', {
    'a request is approved at the address of another request': [
      'if (!asked || asked.uid !== request.params.uid)',
      'if (!asked)',
    ],
  }),
  ...mutantsOf('src/auth/consent/consent.controller.tsx', 'integration/auth/oauth/authorization', {
    'consent is given without the requested new sign-in':
      ' || (asked.signInAfter && signedIn.passwordAt < asked.signInAfter)',
  }),
  ...mutantsOf('src/tenancy/roles/roles.service.ts', 'integration/organizations/create-role', {
    'a role has permissions that its creator lacks': [
      'if (lacking.length > 0) throw permissionsBeyondCaller',
      'if (false) throw permissionsBeyondCaller',
    ],
  }),
  ...mutantsOf('src/tenancy/roles/roles.service.ts', 'integration/organizations/update-role', {
    'a built-in role is changed': 'if (role.builtIn) throw roleIsBuiltIn(role.builtIn);',
  }),
  ...mutantsOf('src/tenancy/members/members.service.ts', 'integration/organizations/update-member', {
    'members beyond the caller’s properties are changed': '    refuseBeyondLimit(caller, member.propertyIds);\n',
    'an organization loses its last owner': ['if (await this.members.isLastOwner(member)) throw', 'if (false) throw'],
    'the last owner is limited to properties': [
      "(role && role.builtIn !== 'owner') || limit",
      "role && role.builtIn !== 'owner'",
    ],
  }),
  ...mutantsOf('src/tenancy/members/members.service.ts', outranked, {
    'members with more permissions than the caller are changed': '    await this.refuseWhoMayMore(caller, member);\n',
  }),
  ...mutantsOf('src/tenancy/members/member-permissions.repository.ts', outranked, {
    'machines with more permissions than the caller are changed': [
      'permissionsOf({ builtIn, permissions }) : scopes',
      'permissionsOf({ builtIn, permissions }) : []',
    ],
    'a machine counts the permissions of its revoked keys': ['and k.revoked_at is null and', 'and'],
  }),
  ...mutantsOf('src/platform/callers/permissions.ts', outranked, {
    'a caller without it revokes the permission to publish': " || name.endsWith(':publish')",
    'a caller without it revokes a sensitive permission': ["permissions[name].group === 'sensitive'", 'false'],
  }),
  ...mutantsOf('src/tenancy/roles/roles.service.ts', outranked, {
    'a role loses permissions that the caller lacks': [
      'if (lacking.length > 0) throw permissionsToKeep',
      'if (false) throw permissionsToKeep',
    ],
  }),
  ...mutantsOf('src/tenancy/members/members.repository.ts', 'integration/organizations/update-member', {
    'only owners limited to properties remain': ' and property_ids is null',
  }),
];
