import { type Mutant, mutantsOf, suite } from './mutant.js';

const sessions = 'src/auth/accounts/sessions.repository.ts';
const links = 'src/tenancy/people/mailed-links.service.ts';
const passkeys = 'src/auth/accounts/second-factors/passkeys.service.ts';

/** The identity of a person: forms, sessions, second factors and mailed links. */
export const signIn: Mutant[] = [
  ...mutantsOf('src/platform/pages/forms.service.ts', 'integration/accounts/sign-in', {
    'forms without a token are accepted': [
      'if (token.length !== expected.length || !timingSafeEqual(token, expected))',
      'if (false)',
    ],
    'forms from other sites are accepted': '    this.refuseOtherSites(request);\n',
  }),
  ...mutantsOf('src/platform/pages/see-other.ts', 'integration/accounts/sign-in', {
    'a sign-in redirects to other sites': ["url?.origin === origin && !url.pathname.startsWith('//') ?", 'url ?'],
  }),
  ...mutantsOf(sessions, 'integration/accounts/sign-in', {
    'idle sessions stay valid': [' and s.last_seen_at > $4`', ' and $4 <> now()::text`'],
    'sessions never expire': ['s.stage = $2 and s.expires_at > $3', "s.stage = $2 and $3 <> ''"],
  }),
  ...mutantsOf(sessions, 'integration/ops/commands', {
    'an operator ends everyone’s sessions': [
      'delete from sessions where user_id = $1 and id is distinct',
      'delete from sessions where $1::uuid is not null and id is distinct',
    ],
  }),
  ...mutantsOf(sessions, 'integration/accounts/second-factor', {
    'a password is enough for an account with a second factor': ['s.stage = $2', "$2 <> ''"],
  }),
  ...mutantsOf(sessions, 'integration/accounts/passwords', {
    'a person ends another person’s session': [
      'where user_id = $1 and id::text',
      'where $1::text is not null and id::text',
    ],
  }),
  ...mutantsOf('src/auth/accounts/attempts.service.ts', 'integration/accounts/attempts.slow', {
    'no wait between guesses': ['if (waitMs > 0) throw', 'if (false) throw'],
  }),
  ...mutantsOf('src/auth/accounts/second-factors/totp.service.ts', 'integration/accounts/second-factor', {
    'a code is accepted twice': ' and coalesce(last_step, -1) < $2',
    'every session sees the secret of a new authenticator': [
      ' and drafted.session_id is distinct from excluded.session_id',
      ' and drafted.session_id is null',
    ],
  }),
  ...mutantsOf(passkeys, 'integration/accounts/passkeys', {
    'a copied passkey is accepted at the same time': ['and counter = $5', 'and $5::bigint is not null'],
    'the challenge of another session is accepted': [
      'sessions where id = $1 for update',
      'sessions where $1::uuid is not null for update',
    ],
  }),
  {
    name: 'another person’s passkey is accepted',
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
    suite('integration/accounts/second-factor', 'change the address'),
    { 'the address is changed with only a password': ["requireAnyFactor(request, '/account')", 'require(request)'] },
  ),
  ...mutantsOf(
    'src/auth/accounts/pages/security.controller.tsx',
    suite('integration/accounts/second-factor', 'change the address'),
    {
      'the password is changed without the second factor': [
        "requireAnyFactor(request, '/account/security')",
        'require(request)',
      ],
    },
  ),
  ...mutantsOf('src/auth/accounts/second-factors/recovery-codes.service.ts', 'integration/accounts/second-factor', {
    'recovery codes are too short': ['const groups = 7', 'const groups = 6'],
  }),
  ...mutantsOf('src/auth/oauth/provider-configuration.ts', suite('integration/accounts/sign-in', '__Host-'), {
    'cookies of an authorization can be set over http': [
      "...(config.baseUrl.startsWith('https:') && { names: secureNames })",
      '...(!secureNames && { names: secureNames })',
    ],
  }),
  ...mutantsOf(links, 'integration/accounts/mailed-links.slow', {
    'a mailed link is used twice': [
      'set used_at = $2 where hash = any($1) and used_at is null and',
      'set used_at = $2 where hash = any($1) and',
    ],
    'a mailed link never expires': [
      'set used_at = $2 where hash = any($1) and used_at is null and expires_at > $2',
      'set used_at = $2 where hash = any($1) and used_at is null',
    ],
  }),
  ...mutantsOf('src/auth/accounts/sign-in.service.ts', suite('integration/accounts/sign-up', 'on the start page'), {
    'signing up is missing from the sign-in history': "    await this.noteSignIn(request, userId, ['password']);\n",
  }),
  ...mutantsOf(
    'src/auth/accounts/sign-in.service.ts',
    suite('integration/accounts/attempts.slow', 'a device on which'),
    {
      'no device is known': ['if (!owner || !device) return', 'if (!owner || device !== null) return'],
      'no limit on guesses from a known device': [
        "return [[shared[0] === 'code' ? 'code' : 'device', `${owner.id} ${device}`]];",
        'return [];',
      ],
    },
  ),
  ...mutantsOf('src/auth/accounts/session.ts', suite('integration/accounts/second-factor', 'another is added'), {
    'a password counts as a second factor': [
      'signedIn.hasSecondFactor ? signedIn.factorAt !== null && isRecent(signedIn.factorAt) : isFresh(signedIn)',
      'isFresh(signedIn)',
    ],
  }),
  ...mutantsOf(
    'src/auth/accounts/pages/second-factor-removal.controller.tsx',
    suite('integration/accounts/second-factor', 'is removed with a code'),
    {
      'a second factor is removed without a code':
        'if (!isProved) return await this.renderRemoval(response, signedIn, factor, wrongFactor);',
    },
  ),
  ...mutantsOf('src/auth/accounts/held-form.ts', 'integration/accounts/own-account', {
    'the form of an ended session is shown to another person': [
      'this.devices.isOf(device, owner) ? held',
      'owner ? held',
    ],
    'a form with a secret is kept': [' || Object.keys(fields).some((field) => secrets.test(field))', ''],
  }),
  ...mutantsOf('src/auth/accounts/sealed-cookies.ts', suite('integration/accounts/own-account', 'half an hour'), {
    'a form is kept for as long as a browser keeps it': [
      'Date.now() < until ? (value as unknown as T) : undefined',
      'value as unknown as T',
    ],
  }),
  ...mutantsOf(
    'src/auth/accounts/second-factors.service.ts',
    suite('integration/accounts/second-factor', 'an authenticator'),
    {
      'sessions without the second factor stay valid': 'await this.sessions.signOutEverywhere(userId, sessionId);',
    },
  ),
];
