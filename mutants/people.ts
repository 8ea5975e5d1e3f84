import { type Mutant, mutantsOf, suite } from './mutant.js';

const sessions = 'src/accounts/sessions.service.ts';
const links = 'src/accounts/mailed-links.service.ts';
const consent = 'src/auth/consent/consent.service.ts';

/** Who somebody is, what they consent to, and what they may give to others. */
export const people: Mutant[] = [
  ...mutantsOf('src/pages/forms.service.ts', 'integration/accounts/sign-in', {
    'forms without a token': [
      'if (token.length !== expected.length || !timingSafeEqual(token, expected))',
      'if (false)',
    ],
    'forms of other sites': '    this.refuseOtherSites(request);\n',
  }),
  ...mutantsOf('src/pages/see-other.ts', 'integration/accounts/sign-in', {
    'a sign-in leads to other sites': ["url?.origin === origin && !url.pathname.startsWith('//') ?", 'url ?'],
  }),
  ...mutantsOf(sessions, 'integration/accounts/sign-in', {
    'sessions that are idle': [' and s.last_seen_at > $4`', ' and $4 <> now()::text`'],
    'sessions for ever': ['s.stage = $2 and s.expires_at > $3', "s.stage = $2 and $3 <> ''"],
  }),
  ...mutantsOf(sessions, 'integration/accounts/second-factor', {
    'a password is enough where there is a second factor': ['s.stage = $2', "$2 <> ''"],
  }),
  ...mutantsOf(sessions, 'integration/accounts/passwords', {
    'anyone ends a session': ['where user_id = $1 and id::text', 'where $1::text is not null and id::text'],
  }),
  ...mutantsOf('src/accounts/attempts.service.ts', 'integration/accounts/attempts', {
    'guesses without a wait': ['if (waitMs > 0) throw', 'if (false) throw'],
  }),
  ...mutantsOf('src/accounts/second-factors/totp.service.ts', 'integration/accounts/second-factor', {
    'a code is taken twice': ' and coalesce(last_step, -1) < $2',
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
  ...mutantsOf('src/accounts/password-changes.service.ts', suite('integration/accounts/passwords', 'links|along'), {
    'mailed links outlive the password': "await this.links.endAll(['reset', 'email-change'], userId);",
  }),
  ...mutantsOf('src/accounts/invitations.service.ts', 'integration/accounts/mailed-links', {
    'an invitation’s link outlives it': ' || !(await this.isInvited(link.email))',
  }),
  ...mutantsOf(
    'src/accounts/second-factors.service.ts',
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
  ...mutantsOf('src/organizations/roles.service.ts', 'integration/organizations/create-role', {
    'a role may more than its maker': ['if (lacking.length > 0) throw', 'if (false) throw'],
  }),
  ...mutantsOf('src/organizations/roles.service.ts', 'integration/organizations/update-role', {
    'a built-in role is changed': 'if (role.builtIn) throw roleIsBuiltIn(role.builtIn);',
  }),
  ...mutantsOf('src/organizations/members.service.ts', 'integration/organizations/update-member', {
    'members beyond the caller’s properties': [
      'if (!isWithin(member.propertyIds, caller.propertyIds)) throw',
      'if (false) throw',
    ],
    'an organization without an owner': ['if (await this.members.isLastOwner(member)) throw', 'if (false) throw'],
    'the last owner is limited': ["(role && role.builtIn !== 'owner') || limit", "role && role.builtIn !== 'owner'"],
  }),
  ...mutantsOf('src/organizations/members.repository.ts', 'integration/organizations/update-member', {
    'only owners of some properties are left': ' and property_ids is null',
  }),
];
