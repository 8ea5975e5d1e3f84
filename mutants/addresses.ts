import { type Mutant, mutantsOf, suite } from './mutant.js';

const limits = (only: string) => suite('integration/edge/address-limits.slow', only);
const limiter = 'src/edge/limits/address-limits.ts';
const guard = 'src/edge/guards/authentication.guard.ts';
const frozen = (only: string) => suite('integration/edge/database-faults.slow', only);
const http = (only: string) => suite('integration/edge/http', only);

/** Limits of requests without a credential, and the content of their errors. */
export const addresses: Mutant[] = [
  ...mutantsOf(limiter, limits('an address without a credential has 600'), {
    'no limit for an address': '    await this.spend(`address ${addressOf(ip)}`, addressLimit);\n',
  }),
  ...mutantsOf(limiter, limits('a network'), {
    'no limit for a network': '    await this.spend(`network ${networkOf(ip)}`, networkLimit);\n',
    'requests rejected for an address count against its network': [
      '    await this.spend(`address ${addressOf(ip)}`, addressLimit);\n    await this.spend(`network ${networkOf(ip)}`, networkLimit);\n',
      '    await this.spend(`network ${networkOf(ip)}`, networkLimit);\n    await this.spend(`address ${addressOf(ip)}`, addressLimit);\n',
    ],
  }),
  ...mutantsOf(limiter, limits('loopback'), {
    'loopback is exempt behind a proxy': ['this.config.trustedProxies === 0 && isLoopback(ip)', 'isLoopback(ip)'],
    'loopback is never exempt': ['this.config.trustedProxies === 0 && isLoopback(ip)', 'false'],
  }),
  ...mutantsOf(limiter, limits('that is down'), {
    'a limiter that is down rejects every address': [
      'return await this.own.increment(key, minuteMs, limit);',
      'return { ...(await this.own.increment(key, minuteMs, limit)), isBlocked: true };',
    ],
    'a limiter that is down counts no address': [
      'return await this.own.increment(key, minuteMs, limit);',
      'return { ...(await this.own.increment(key, minuteMs, limit)), isBlocked: false };',
    ],
  }),
  ...mutantsOf(guard, limits('spends one budget on everything'), {
    'requests to open routes are not counted': 'if (route.isCounted) await this.open.admit(request, route);',
    'requests to unknown paths are not counted': [
      '      await this.addresses.take(request);\n      throw noSuchPath();',
      '      throw noSuchPath();',
    ],
  }),
  ...mutantsOf(guard, limits('a credential'), {
    'a rejected credential is not counted':
      'if (!(error instanceof ServiceError) || error.status !== 401) throw error;\n      await this.addresses.take(request);',
    'a valid credential is counted': [
      '    try {\n      context.caller',
      '    await this.addresses.take(request);\n    try {\n      context.caller',
    ],
  }),
  ...mutantsOf('src/processes/app.ts', limits('the token endpoint'), {
    'the authorization server is not counted':
      'app.use(admitOpen(app.get(OpenRequests), (request) => authorization.routeOf(request)));',
  }),
  ...mutantsOf('src/platform/health/health.controller.ts', limits('a probe'), {
    'probes are counted': ['@Open({ isCounted: false })', '@Open()'],
  }),
  ...mutantsOf('src/platform/pages/page-error.filter.tsx', limits('the sign-in page'), {
    'a client without a browser gets an error page':
      'if (isLimit && !wantsPage(request)) return sendError(response, envelopeFor(error, context));',
  }),
  ...mutantsOf('libs/limits/minute-rate-store.ts', 'unit/limits/memory-minute-rate-store', {
    'the minute never ends': 'this.hits.clear();',
    'no limit on the number of addresses in memory': ['max: this.max', 'max: 1_000'],
  }),
  ...mutantsOf('libs/limits/redis-limits.ts', suite('integration/edge/redis-limits.slow', 'addresses'), {
    'each node has its own budget for an address': [
      'return `${this.prefix}:{${key}}:minute`',
      'return `${this.prefix}:{${key}}:${Math.random()}`',
    ],
  }),
  ...mutantsOf('src/auth/bearer/access-tokens.repository.ts', frozen('for reads and writes of each credential'), {
    'reading a token has no time limit': ['[hashes], this.withinMs', '[hashes]'],
  }),
  ...mutantsOf('src/auth/bearer/credentials.repository.ts', frozen('for reads and writes of each credential'), {
    'reading a key has no time limit': ['[hashes], this.withinMs', '[hashes]'],
  }),
  ...mutantsOf('src/edge/overload/open-requests.ts', frozen('public requests'), {
    'pages wait for the database without a time limit': 'if (needsDatabase) await this.pulse.expect();',
  }),
  ...mutantsOf('src/auth/oauth/stores.ts', frozen('public requests'), {
    'the look-up of an application has no deadline': ['find(id, this.pulse.withinMs)', 'find(id)'],
    'a token request for an application elsewhere has no deadline': 'await this.pulse.expect();',
  }),
  ...mutantsOf(guard, suite('integration/events/audit-entries', 'a request id chosen by a client'), {
    'an audit entry has no log id': [
      'context.caller = { ...(await this.strategy.validate(request)), logId: context.logId };',
      'context.caller = await this.strategy.validate(request);',
    ],
  }),
  ...mutantsOf('src/platform/audit/audit-chain.ts', suite('integration/events/audit-chain.slow', 'the log id'), {
    'the log id is not sealed': ['seal: undefined }', 'seal: undefined, logId: undefined }'],
  }),
  ...mutantsOf(
    'src/platform/audit/audit-verification.service.ts',
    suite('integration/events/audit-chain.slow', 'the log id'),
    {
      'a seal of the previous version is reported as a fault': [
        '[entry, { ...entry, undoes: undefined }, { ...entry, undoes: undefined, logId: undefined }].some(',
        '[entry].some(',
      ],
    },
  ),
  ...mutantsOf(
    'src/features/workflows/runs/operation-steps.service.ts',
    suite('integration/workflows/runs.slow', 'over rest'),
    {
      'a workflow step has no log id': ['context.caller = { ...caller, logId };', 'context.caller = caller;'],
    },
  ),
  ...mutantsOf(
    'libs/child-environment/child-environment.ts',
    suite('integration/embedded-postgres/embedded-postgres.slow', 'only what Postgres needs'),
    { 'child processes get the whole environment': ['.filter(([name]) => isNeeded(name))', ''] },
  ),
  ...mutantsOf(
    'libs/embedded-postgres/postgres-account.ts',
    suite('integration/embedded-postgres/embedded-postgres.slow', 'only what Postgres needs'),
    {
      'Postgres gets the whole environment': ['{ ...childEnvironment(), ...env }', '{ ...process.env, ...env }'],
    },
  ),
  // Separate processes run from the build.
  ...mutantsOf('dist/src/processes/ops/regions.js', suite('integration/ops/regions.long', 'of our environment'), {
    'the global entry gets the variables of a cell': [
      "'global-entry/main.js', entryVariables",
      "'global-entry/main.js', cellVariables",
    ],
  }),
  ...mutantsOf('compose/secrets.sh', suite('integration/persistence/compose.slow', 'generated once|no superuser'), {
    'secrets are generated at every start': '[ -f "$folders/service/environment" ] && exit 0',
    'secrets are readable by other users': 'umask 077',
    'the database owner is a superuser': [' nosuperuser ', ' superuser '],
  }),
  ...mutantsOf('compose/secrets.sh', suite('integration/persistence/compose.slow', 'requires the password'), {
    'Redis needs no password': 'user default off\n',
    'the service may run administrative commands of Redis': [' -@admin -flushall -flushdb -swapdb', ''],
  }),
  ...mutantsOf('libs/context/request-context.ts', http('a request without an operation'), {
    'an error without an operation names no method': ['method: this.httpMethod }', "method: '' }"],
  }),
  ...mutantsOf('libs/errors/envelope.ts', http('a request without an operation'), {
    'a validation error does not name the failed call': [', service: action.service, method: action.method }', ' }'],
  }),
  ...mutantsOf('src/edge/requests/parser-errors.ts', http('an invalid HTTP'), {
    'an unparsable request has another method name': ["method: 'parse'", "method: 'GET'"],
  }),
];
