import { type Mutant, mutantsOf, suite } from './mutant.js';

const sessions = 'src/auth/accounts/sessions.repository.ts';
const stolen = 'integration/accounts/stolen-password.slow';

/** What an old session could do if forms were read without asking who the person is, each with the tests that notice. */
const sensitiveForms = {
  'an old session revokes keys': suite(stolen, 'API keys that a stolen password'),
  'an old session creates an organization': suite('integration/accounts/sign-up', 'one more organization'),
  'an old session ends another one, or all': suite('integration/accounts/passwords', 'last ten'),
  'an old session exports or closes an organization': 'integration/ops/portability.slow',
  'an old session leaves an organization': suite('integration/accounts/own-account', 'last ten minutes$'),
  'an old session deletes an account': suite('integration/accounts/own-account', 'last ten minutes too'),
  'an old session changes rules': suite('integration/approvals/approval-rules', 'on their page'),
};

/** What a password change ends, and what a session may do long after the password was entered. */
export const passwordChanges: Mutant[] = [
  ...mutantsOf(
    'src/auth/accounts/password-changes.service.ts',
    suite('integration/accounts/passwords', 'links|cancels'),
    {
      'mailed links stay valid after the password changes': [
        "await this.links.endAll(['reset', 'email-change'], ending.userId);",
        'await Promise.resolve(0);',
      ],
    },
  ),
  ...mutantsOf('src/auth/accounts/device-cookie.ts', suite('integration/accounts/attempts.slow', 'guessing codes'), {
    'devices that needed only a password have budgets for guessing codes':
      "...(owner.hasSecondFactor ? ['second factor'] : [])",
  }),
  ...mutantsOf(
    'src/auth/accounts/pages/second-factors.controller.tsx',
    suite('integration/accounts/attempts.slow', 'others guess codes'),
    {
      'the browser that adds a second factor is not known any more':
        '    if (recoveryCodes) await this.signIn.rememberDevice(request, response, signedIn);\n',
    },
  ),
  ...mutantsOf(
    'src/auth/accounts/sessions.service.ts',
    suite('integration/accounts/mailed-links.slow', 'is not confirmed if'),
    {
      'a change of address survives the first second factor':
        "    await this.links.endAll(['reset', 'email-change'], userId);\n",
    },
  ),
  ...mutantsOf(
    'src/auth/accounts/pages/security.controller.tsx',
    suite('integration/accounts/mailed-links.slow', 'is not confirmed if'),
    {
      'a change of address survives signing out everywhere': ['signOutEverywhere(signedIn', 'endAll(signedIn'],
    },
  ),
  ...mutantsOf('src/auth/accounts/device-cookie.ts', suite('integration/accounts/attempts.slow', 'a device on which'), {
    'a device is known for every account': ['return isOurs ? id : undefined;', 'return isOurs || id ? id : undefined;'],
    'a device is known forever': 'if (Date.now() - Number(signedInAt) >= worksForMs) return undefined;',
    'a device stays known after the password changes': ['owner.passwordHash, id, at', 'id, at'],
  }),
  ...mutantsOf(
    'src/auth/accounts/password-changes.service.ts',
    suite('integration/accounts/passwords', 'same statements'),
    {
      'a password reset reveals whether an account exists': [
        'await this.letters.request(email);',
        'if (await this.letters.write(email)) await this.letters.request(email);',
      ],
    },
  ),
  ...mutantsOf('src/auth/accounts/access-endings.service.ts', suite(stolen, 'a stolen password'), {
    'approvals stay valid after the password changes': [
      "await this.grantsService.end(id, 'password', () => act);",
      'await Promise.resolve([id, act]);',
    ],
    'keys of applications stay valid after the password changes': [
      'await this.keys.revokeOfPerson(userId, act);',
      'await Promise.resolve([]);',
    ],
    'sessions stay valid after the password changes': [
      'await this.sessions.endAll(userId, keptSessionId);',
      "await Promise.resolve(keptSessionId === '' ? 1 : 0);",
    ],
  }),
  ...mutantsOf('src/auth/accounts/access-endings.service.ts', suite(stolen, 'API keys that a stolen password'), {
    'keys that stay valid after a password change are not listed': ['await this.ownKeys.list(userId)', '[]'],
  }),
  ...mutantsOf('src/auth/api-keys/person-keys.service.ts', suite(stolen, 'API keys that a stolen password'), {
    'keys in organizations that a person has left are listed': [" and m.status = 'active'", ''],
    'keys of other people are listed': [' and m.user_id = $1', ' and $1::uuid is not null'],
    'all keys end instead of the selected ones': ['.filter(chosen)', ''],
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
    'an approval is given while the password changes': ["'select 1 from sessions where id = $1'", "'select $1::uuid'"],
    'a sign-in succeeds while the password changes': ['u.password_hash = $9 for share', '$9::text is not null'],
  }),
  ...mutantsOf('src/auth/accounts/sessions.service.ts', 'integration/accounts/api-keys-page', {
    'an old session performs sensitive actions': [
      '    if (isFresh(signedIn)) return signedIn;',
      '    return signedIn;',
    ],
  }),
  ...mutantsOf('src/auth/api-keys-page/api-keys-page.controller.tsx', 'integration/accounts/api-keys-page', {
    'an old session creates keys': [
      'if (operation === createApiKey) await this.sessions.requireFresh(request, page);\n    else',
      'if (operation !== createApiKey)',
    ],
    'an old session replaces or revokes keys':
      '    else this.sessions.requireFreshFor(request, signedIn, { fields, page });\n',
    'input is lost while a person confirms their identity': ['wayBack(fields)', 'path'],
  }),
  ...mutantsOf(
    'src/auth/accounts/pages/second-factors.controller.tsx',
    suite('integration/accounts/second-factor', 'shortly after'),
    {
      'an old session adds an authenticator': [
        'async addTotp(@Req() request: Request, @Res() response: Response): Promise<void> {\n    const signedIn = await this.requireFresh(request);',
        'async addTotp(@Req() request: Request, @Res() response: Response): Promise<void> {\n    const signedIn = await this.sessions.require(request);',
      ],
    },
  ),
  ...Object.entries(sensitiveForms).flatMap(([name, tests]) =>
    mutantsOf('src/auth/accounts/sensitive-forms.service.ts', tests, {
      [name]:
        '    this.sessions.requireFreshFor(request, signedIn, { fields, page: from, ...(factor && { factor }) });\n',
    }),
  ),
  ...mutantsOf(
    'src/auth/accounts/password-changes.service.ts',
    suite('integration/accounts/passwords', 'pending letter'),
    {
      'a reset letter is sent after the password was changed': 'await this.letters.withdraw(email);',
    },
  ),
];
