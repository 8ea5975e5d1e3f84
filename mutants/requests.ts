import { type Mutant, mutantsOf, suite } from './mutant.js';

const log = 'integration/requests/requests.slow';

/** The request log: complete, only of its organization, and without the contents of requests. */
export const requests: Mutant[] = [
  ...mutantsOf('src/edge/requests/keep-requests.middleware.ts', log, {
    'the log contains names of fields that a client invented': ["return field ? part : '…';", 'return part;'],
    'a replay is logged as an original request': ["answer?.headers['Idempotent-Replayed'] !== undefined", 'false'],
    'failed requests are logged without their code': ['answer?.code ?? null', 'null'],
  }),
  ...mutantsOf('src/platform/requests/request-log.service.ts', log, {
    'no limit on requests that wait to be logged': ['this.waiting.length < mostWaiting', 'true'],
    'every read is logged': ['if (sampled && read % sampledOneIn !== 0) return;\n', ''],
  }),
  ...mutantsOf('src/platform/requests/requests.repository.ts', log, {
    'requests are shown forever': ["\n      .and('r.at >= ?::timestamptz', new Date(since).toISOString())", ''],
  }),
  ...mutantsOf('src/platform/requests/request-log.repository.ts', suite(log, 'the busiest minute'), {
    'counts of a minute are reset every second': ['when k.minute then k.requests', 'when null then k.requests'],
    'a minute never ends': ['when k.minute then k.requests', 'when excluded.minute then k.requests'],
    'a late count restarts the minute': [
      'case when excluded.minute < k.minute then k.requests else @counted end',
      '@counted',
    ],
    'a late count replaces that of the previous minute': ['then k.requests_before else 0', 'then 0 else 0'],
    'two late counts are counted once': ['when excluded.minute = k.minute - @minute then @counted\n', ''],
    'an old minute counts as the previous one': ['when excluded.minute > k.minute then 0\n', ''],
  }),
  ...mutantsOf(
    'src/platform/events/events.repository.ts',
    suite('integration/events/list-events', 'what one request caused'),
    {
      'events of other requests are listed too': [' and a.request_id = ?', ' and ?::text is not null'],
    },
  ),
];
