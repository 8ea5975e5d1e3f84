import { type Mutant, mutantsOf } from './mutant.js';

const log = 'integration/requests/requests';

/** The request log: complete, of its organization alone, and free of what was sent. */
export const requests: Mutant[] = [
  ...mutantsOf('src/edge/keep-requests.middleware.ts', log, {
    'the log names fields that a client made up': ["return field ? part : '…';", 'return part;'],
    'a replay looks like a request of its own': ["answer?.headers['Idempotent-Replayed'] !== undefined", 'false'],
    'no request that failed is logged with its code': ['answer?.code ?? null', 'null'],
  }),
  ...mutantsOf('src/platform/requests/request-log.service.ts', log, {
    'the log holds any number of requests': ['this.waiting.length < mostWaiting', 'true'],
    'every read is kept': ['if (sampled && read % sampledOneIn !== 0) return;\n', ''],
  }),
  ...mutantsOf('src/platform/requests/requests.repository.ts', log, {
    'requests are shown for ever': ["\n      .and('r.at >= ?::timestamptz', new Date(since).toISOString())", ''],
  }),
];
