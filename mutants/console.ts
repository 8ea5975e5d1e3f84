import { type Mutant, mutantsOf, suite } from './mutant.js';

const console = (only: string) => suite('integration/console/console.slow', only);
const forms = (only: string) => suite('integration/console/forms.slow', only);
const controller = 'src/console/frame/console.controller.tsx';
const calls = 'src/platform/pages/page-calls.service.ts';

/** The layer between a person's browser and the operations. */
export const consoleMutants: Mutant[] = [
  ...mutantsOf(calls, forms('creates one key however often'), {
    'a form that is sent twice is processed twice': '    context.idempotencyKey = key;\n',
    'a secret is shown again as long as its response is kept': ['(await this.isRecent(caller, key as string))', 'true'],
  }),
  ...mutantsOf('src/platform/pages/forms.service.ts', forms('something new'), {
    'a form with other input counts as the same': [
      "return `${nonce}.${createHash('sha256').update(text).digest('base64url').slice(0, 22)}`;",
      'return text && nonce;',
    ],
  }),
  ...mutantsOf('src/auth/accounts/sent-forms.service.ts', suite('integration/accounts/second-factor', 'renewed with'), {
    'a form without an operation is processed twice': ['if (claimed.length === 0) throw alreadySent();', ''],
  }),
  ...mutantsOf(controller, forms('sensitive actions'), {
    'sensitive forms work in an old session': [
      '    if (form.isSensitive) this.sessions.requireFreshFor(request, visit.signedIn, { fields, page: visit.here });\n',
      '',
    ],
  }),
  ...mutantsOf(controller, console('leads to the enrollment'), {
    'the console opens without the required second factor':
      '    if (caller.secondFactorMissing) throw new SeeOther(enrollmentPath(here, true));\n',
  }),
  ...mutantsOf(controller, console('each page counts once'), {
    'pages are not counted': [
      '@UseGuards(ConsoleGuard, SheddingGuard, RateLimitGuard)',
      '@UseGuards(ConsoleGuard, SheddingGuard)',
    ],
  }),
  ...mutantsOf('src/console/frame/console.guard.ts', console("another organization's page"), {
    'members open consoles of other organizations': ['find(({ slug }) => slug === request.params.slug)', 'at(0)'],
  }),
  ...mutantsOf(
    'src/edge/overload/shedding.middleware.ts',
    suite('integration/edge/overload.slow', 'an address without'),
    {
      'browsers get JSON in an overload': [
        'sendPageOrEnvelope(request,',
        'sendPageOrEnvelope({ headers: {} } as Request,',
      ],
    },
  ),
];
