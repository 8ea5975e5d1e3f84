import { type Mutant, mutantsOf, suite } from './mutant.js';

const limits = (only: string) => suite('integration/edge/address-limits', only);
const limiter = 'src/edge/limits/address-limits.ts';
const guard = 'src/edge/guards/authentication.guard.ts';
const frozen = (only: string) => suite('integration/edge/database-faults', only);
const http = (only: string) => suite('integration/edge/http', only);

/** Limits of requests without a credential, and the content of their errors. */
export const addresses: Mutant[] = [
  ...mutantsOf(limiter, limits('an address without a credential has 600'), {
    'no limit of an address': '    await this.spend(`address ${addressOf(ip)}`, addressLimit);\n',
  }),
  ...mutantsOf(limiter, limits('a network'), {
    'no limit of a network': '    await this.spend(`network ${networkOf(ip)}`, networkLimit);\n',
    'a network pays for what its address is refused': [
      '    await this.spend(`address ${addressOf(ip)}`, addressLimit);\n    await this.spend(`network ${networkOf(ip)}`, networkLimit);\n',
      '    await this.spend(`network ${networkOf(ip)}`, networkLimit);\n    await this.spend(`address ${addressOf(ip)}`, addressLimit);\n',
    ],
  }),
  ...mutantsOf(limiter, limits('loopback'), {
    'loopback is exempt behind a proxy': ['this.config.trustedProxies === 0 && isLoopback(ip)', 'isLoopback(ip)'],
    'loopback is never exempt': ['this.config.trustedProxies === 0 && isLoopback(ip)', 'false'],
  }),
  ...mutantsOf(limiter, limits('that is down'), {
    'a limiter of addresses that is down refuses': [
      'return await this.own.increment(key, minuteMs, limit);',
      'return { ...(await this.own.increment(key, minuteMs, limit)), isBlocked: true };',
    ],
    'a limiter of addresses that is down counts nothing': [
      'return await this.own.increment(key, minuteMs, limit);',
      'return { ...(await this.own.increment(key, minuteMs, limit)), isBlocked: false };',
    ],
  }),
  ...mutantsOf(guard, limits('spends one budget on everything'), {
    'open routes are not counted': 'if (route.isCounted) await this.open.admit(request, route);',
    'unknown addresses are not counted': [
      '      await this.addresses.take(request);\n      throw noSuchPath();',
      '      throw noSuchPath();',
    ],
  }),
  ...mutantsOf(guard, limits('a credential'), {
    'a refused credential is not counted':
      'if (!(error instanceof ServiceError) || error.status !== 401) throw error;\n      await this.addresses.take(request);',
    'a valid credential is counted': [
      '    try {\n      context.caller',
      '    await this.addresses.take(request);\n    try {\n      context.caller',
    ],
  }),
  ...mutantsOf('src/processes/app.ts', limits('the token endpoint'), {
    'the authorization server is not counted':
      'app.use(admitOpen(app.get(OpenRequests), (request) => authorization.serves(request)));',
  }),
  ...mutantsOf('src/platform/health/health.controller.ts', limits('a probe'), {
    'probes are counted': ['@Open({ isCounted: false })', '@Open()'],
  }),
  ...mutantsOf('src/platform/pages/page-error.filter.tsx', limits('the sign-in page'), {
    'a page in place of the envelope':
      'if (isLimit && !wantsPage(request)) return sendError(response, envelopeFor(error, context));',
  }),
  ...mutantsOf('libs/limits/minute-rate-store.ts', 'unit/limits/memory-minute-rate-store', {
    'the minute never ends': 'this.hits.clear();',
    'as many addresses as anyone sends': ['max: this.max', 'max: 1_000'],
  }),
  ...mutantsOf('libs/limits/redis-limits.ts', suite('integration/edge/redis-limits', 'addresses'), {
    'each address has a budget at each node': [
      'return `${this.prefix}:{${key}}:minute`',
      'return `${this.prefix}:{${key}}:${Math.random()}`',
    ],
  }),
  ...mutantsOf('src/auth/bearer/access-tokens.repository.ts', frozen('for reads and writes of each credential'), {
    'tokens are waited for without end': ['[hashes], this.withinMs', '[hashes]'],
  }),
  ...mutantsOf('src/auth/bearer/credentials.repository.ts', frozen('for reads and writes of each credential'), {
    'keys are waited for without end': ['[hashes], this.withinMs', '[hashes]'],
  }),
  ...mutantsOf('src/edge/overload/open-requests.ts', frozen('public requests'), {
    'pages wait for the database without end': 'if (needsDatabase) await this.pulse.expect();',
  }),
  ...mutantsOf(guard, suite('integration/events/audit-entries', 'a request id chosen by a client'), {
    'an entry has no id of our own': [
      'context.caller = { ...(await this.strategy.validate(request)), logId: context.logId };',
      'context.caller = await this.strategy.validate(request);',
    ],
  }),
  ...mutantsOf('src/platform/audit/audit-chain.ts', suite('integration/events/audit-chain', 'the log id'), {
    'the log id is not sealed': ['seal: undefined }', 'seal: undefined, logId: undefined }'],
  }),
  ...mutantsOf(
    'src/platform/audit/audit-verification.service.ts',
    suite('integration/events/audit-chain', 'the log id'),
    {
      'a seal of the version before is a fault': [
        '[entry, { ...entry, undoes: undefined }, { ...entry, undoes: undefined, logId: undefined }].some(',
        '[entry].some(',
      ],
    },
  ),
  ...mutantsOf(
    'src/features/workflows/runs/operation-steps.service.ts',
    suite('integration/workflows/runs', 'over rest'),
    {
      'a step has no id of our own': ['context.caller = { ...caller, logId };', 'context.caller = caller;'],
    },
  ),
  ...mutantsOf(
    'libs/child-environment/child-environment.ts',
    suite('integration/embedded-postgres/embedded-postgres', 'only what Postgres needs'),
    { 'children get the whole environment': ['.filter(([name]) => isNeeded(name))', ''] },
  ),
  ...mutantsOf(
    'libs/embedded-postgres/postgres-account.ts',
    suite('integration/embedded-postgres/embedded-postgres', 'only what Postgres needs'),
    {
      'Postgres gets the whole environment': ['{ ...childEnvironment(), ...env }', '{ ...process.env, ...env }'],
    },
  ),
  // Separate processes run from the build.
  ...mutantsOf('dist/src/processes/ops/regions.js', suite('integration/ops/regions.long', 'of our environment'), {
    'the global entry gets what a cell gets': [
      "'global-entry/main.js', entryVariables",
      "'global-entry/main.js', cellVariables",
    ],
  }),
  ...mutantsOf('compose/secrets.sh', suite('integration/persistence/compose', 'generated once|no superuser'), {
    'secrets are generated at every start': '[ -f "$folders/service/environment" ] && exit 0',
    'secrets that others may read': 'umask 077',
    'the owner is a superuser': [' nosuperuser ', ' superuser '],
  }),
  ...mutantsOf('compose/secrets.sh', suite('integration/persistence/compose', 'requires the password'), {
    'Redis without a password': 'user default off\n',
    'the service may order Redis about': [' -@admin -flushall -flushdb -swapdb', ''],
  }),
  ...mutantsOf('libs/context/request-context.ts', http('a request without an operation'), {
    'no method where there is no operation': ['method: this.httpMethod }', "method: '' }"],
  }),
  ...mutantsOf('libs/errors/envelope.ts', http('a request without an operation'), {
    'a validation error that does not name what failed': [', service: action.service, method: action.method }', ' }'],
  }),
  ...mutantsOf('src/edge/requests/parser-errors.ts', http('an invalid HTTP'), {
    'what cannot be parsed has another name': ["method: 'parse'", "method: 'GET'"],
  }),
];
