import { mutantsOf, type Mutant } from './mutant.js';

const suite = 'integration/client/calls';

/** What programs that use the TypeScript client rely on. */
export const clientMutants: Mutant[] = [
  ...mutantsOf('clients/typescript/src/webhook.ts', suite, {
    'any signature of a delivery is accepted': ['if (!isSigned)', 'if (isSigned === undefined)'],
    'a delivery may be of any age': ['<= toleranceSeconds', '<= Number.POSITIVE_INFINITY'],
  }),
  ...mutantsOf('clients/typescript/src/transport.ts', suite, {
    'the replay of a failure is repeated': "  !headers.has('Idempotent-Replayed') &&\n",
    'a lost connection is not repeated': ['{ cause }), isPassing: true }', '{ cause }), isPassing: false }'],
  }),
  ...mutantsOf('clients/typescript/src/calls.ts', suite, {
    'a part of a path may lead elsewhere': [' && !/^\\.{0,2}$/.test(text)', ''],
  }),
  ...mutantsOf('clients/typescript/src/bulk.ts', suite, {
    'an atomic group is sent in chunks': ['rest.atomic ? [items] : ', ''],
    'every chunk has the same key': ['chunks.length === 1 ? key : ', 'chunks.length > 0 ? key : '],
  }),
  ...mutantsOf('clients/typescript/src/event-feed.ts', suite, {
    'an outage ends the feed': ['error.status < 500 && error.status !== 429', 'error.status !== 429'],
  }),
  ...mutantsOf('clients/typescript/src/streams.ts', suite, {
    'a stream continues without its signal': [', signal && { signal }', ''],
  }),
  ...mutantsOf('clients/typescript/src/pace.ts', suite, {
    'requests beyond the limit are sent': ['this.remaining <= 0 &&', 'this.remaining < -9 &&'],
  }),
];
