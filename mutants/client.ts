import { mutantsOf, type Mutant } from './mutant.js';

const suite = 'integration/client/calls.slow';

/** What programs that use the TypeScript client rely on. */
export const clientMutants: Mutant[] = [
  ...mutantsOf('clients/typescript/src/webhook.ts', suite, {
    'any signature of a delivery is accepted': ['if (!isSigned)', 'if (isSigned === undefined)'],
    'a delivery of any age is accepted': ['<= toleranceSeconds', '<= Number.POSITIVE_INFINITY'],
  }),
  ...mutantsOf('clients/typescript/src/transport.ts', suite, {
    'a replayed failure is retried': "  !headers.has('Idempotent-Replayed') &&\n",
    'a request is not retried after a lost connection': [
      '{ cause }), isPassing: true }',
      '{ cause }), isPassing: false }',
    ],
  }),
  ...mutantsOf('clients/typescript/src/calls.ts', suite, {
    'a path parameter may lead to another path': [' && !/^\\.{0,2}$/.test(text)', ''],
  }),
  ...mutantsOf('clients/typescript/src/bulk.ts', suite, {
    'an atomic group is sent in chunks': ['rest.atomic ? [items] : ', ''],
    'every chunk has the same idempotency key': ['chunks.length === 1 ? key : ', 'chunks.length > 0 ? key : '],
  }),
  ...mutantsOf('clients/typescript/src/event-feed.ts', suite, {
    'an outage ends the feed': ['error.status < 500 && error.status !== 429', 'error.status !== 429'],
  }),
  ...mutantsOf('clients/typescript/src/streams.ts', suite, {
    'a stream ignores its abort signal': [', signal && { signal }', ''],
  }),
  ...mutantsOf('clients/typescript/src/pace.ts', suite, {
    'requests beyond the limit are sent': ['this.remaining <= 0 &&', 'this.remaining < -9 &&'],
  }),
];
