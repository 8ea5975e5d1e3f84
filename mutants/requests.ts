import { type Mutant, mutantsOf, suite } from './mutant.js';

const log = 'integration/requests/requests';

/** The request log: complete, only of its organization, and without the contents of requests. */
export const requests: Mutant[] = [
  ...mutantsOf('src/edge/requests/keep-requests.middleware.ts', log, {
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
  ...mutantsOf('src/platform/requests/request-log.repository.ts', suite(log, 'the busiest minute'), {
    'a minute is forgotten with every second': ['when k.minute then k.requests', 'when null then k.requests'],
    'a minute never ends': ['when k.minute then k.requests', 'when excluded.minute then k.requests'],
    'what comes late begins a minute again': [
      'case when excluded.minute < k.minute then k.requests else @counted end',
      '@counted',
    ],
    'what comes late of the last minute is counted alone': ['then k.requests_before else 0', 'then 0 else 0'],
    'what comes late twice is counted once': ['when excluded.minute = k.minute - @minute then @counted\n', ''],
    'a minute long ago counts as the last one': ['when excluded.minute > k.minute then 0\n', ''],
  }),
  ...mutantsOf(
    'src/platform/events/events.repository.ts',
    suite('integration/events/list-events', 'what one request caused'),
    {
      'events of other requests are listed': [' and a.request_id = ?', ' and ?::text is not null'],
    },
  ),
];
