import { type Edit, type Mutant, mutantsOf, suite } from './mutant.js';

const module = 'src/edge/edge.module.ts';
const guard = (name: string): string => `    { provide: APP_GUARD, useClass: ${name} },\n`;
const matrix = (only: string) => suite('integration/authorization/matrix', only);

/** The place is taken later. */
const uncounted: Edit = {
  file: 'src/platform/events/event-feed.service.ts',
  find: '    this.places.add(place);\n',
  replace: '',
};

/** Checks that apply to every request. */
export const edge: Mutant[] = [
  ...mutantsOf(module, matrix('over rest (none|a malformed)'), {
    'no authentication guard': guard('AuthenticationGuard'),
  }),
  ...mutantsOf(module, 'integration/edge/limits', {
    'no rate-limit guard': guard('RateLimitGuard'),
  }),
  ...mutantsOf(module, matrix('over rest a token of a person without'), {
    'no two-factor guard': guard('TwoFactorGuard'),
  }),
  ...mutantsOf(module, matrix('over rest a key without the scope'), {
    'no scopes guard': guard('ScopesGuard'),
  }),
  ...mutantsOf(module, matrix('over rest a key limited'), {
    'no reach guard': guard('ReachGuard'),
  }),
  ...mutantsOf('src/platform/http/wants-page.ts', 'integration/edge/unknown-route', {
    'a request with a credential gets a page': 'headers.authorization === undefined &&\n  ',
    'the API responds with pages': ' &&\n  !forPrograms.test(path)',
    'clients without a browser get the start page': ["=== 'text/html'", "!== 'text/plain'"],
  }),
  ...mutantsOf(module, 'integration/authorization/organization-wide.slow', {
    'reach is checked before the scope': [
      guard('ScopesGuard') + guard('ReachGuard'),
      guard('ReachGuard') + guard('ScopesGuard'),
    ],
  }),
  ...mutantsOf(module, 'integration/edge/order-of-checks', {
    'the scope is checked before the rate limit': [
      guard('RateLimitGuard') + guard('AllowedAddressesGuard') + guard('TwoFactorGuard') + guard('ScopesGuard'),
      guard('ScopesGuard') + guard('RateLimitGuard') + guard('AllowedAddressesGuard') + guard('TwoFactorGuard'),
    ],
  }),
  ...mutantsOf(module, suite('acceptance/authorization-lifecycle', 'second factor is missing'), {
    'the second factor is checked before the rate limit': [
      guard('RateLimitGuard') + guard('AllowedAddressesGuard') + guard('TwoFactorGuard'),
      guard('TwoFactorGuard') + guard('RateLimitGuard') + guard('AllowedAddressesGuard'),
    ],
  }),
  ...mutantsOf('src/edge/limits/rate-limit.guard.ts', 'integration/edge/limits', {
    'an unavailable limiter admits requests': ['...verdict, timeToBlock', '...verdict, isBlocked: false, timeToBlock'],
    '429 without Retry-After': "headers: { 'Retry-After': String(retryAfterSeconds) },",
  }),
  ...mutantsOf('src/edge/limits/rate-limit.guard.ts', suite('integration/auth/oauth/tokens.slow', 'has the budget'), {
    'a token has its own budget for each approval': ['const { principal,', 'const { id: principal,'],
  }),
  ...mutantsOf('libs/limits/rate-limit-store.ts', 'unit/limits/memory-rate-limit-store', {
    'no limit per minute': ["hits > limit ? 'minute' :", ''],
  }),
  ...mutantsOf('libs/limits/memory-rate-limit-store.ts', 'unit/limits/memory-rate-limit-store', {
    'no limit per second': ['count.admitted.take(now, burstOf(limit), secondMs) > 0', 'false'],
  }),
  ...mutantsOf('libs/limits/sliding-window.ts', 'unit/limits/memory-rate-limit-store', {
    'requests rejected by the limit per second count as admitted': [
      'return oldest + windowMs - now;',
      '{ this.stamps[this.next] = now; return oldest + windowMs - now; }',
    ],
  }),
  ...mutantsOf('libs/limits/sliding-window.ts', 'unit/limits/sliding-window', {
    'a changed limit forgets the admitted requests': ['.slice(-limit)', '.slice(0, 0)'],
    'a clock that is set back blocks requests until it catches up': ['Math.abs(now - stamp)', 'now - stamp'],
  }),
  ...mutantsOf('libs/limits/redis-scripts.ts', 'integration/edge/redis-limits.slow', {
    'no limit per minute across nodes': ["redis.call('HINCRBY', KEYS[1], 'hits', 1)", '1'],
    'no limit per second across nodes': ['take(KEYS[2], burst, 1000000) > 0', 'false'],
  }),
  ...mutantsOf('src/edge/limits/model-budget.ts', 'integration/models/model-budget.slow', {
    'no model budget': ['if (waitMs > 0) throw', 'if (waitMs < 0) throw'],
  }),
  ...mutantsOf('src/edge/limits/model-budget.ts', 'acceptance/model-budget', {
    'each key has its own model budget': ['`models:${caller.orgId}`', '`models:${caller.credential.id}`'],
    'an unavailable model budget admits requests': ['      throw this.exceeded();\n', '      return;\n'],
  }),
  ...mutantsOf('src/edge/answers/record-streams.ts', suite('integration/events/stream-events', 'ends soon after'), {
    'a stream continues after its credential has ended': 'if (!(await this.isStillAllowed(context, scope))) return;',
  }),
  ...mutantsOf(
    'src/platform/events/event-feed.service.ts',
    suite('integration/events/stream-events', 'up to a hundred'),
    {
      'no limit on streams': 'if (taken >= mostStreams) throw tooManyStreams(mostStreams);',
      'a closed stream keeps its place': 'if (place.keptUntil <= now) this.places.delete(place);\n      else ',
    },
  ),
  ...mutantsOf(
    'src/platform/events/event-feed.service.ts',
    suite('integration/events/stream-events', 'up to a hundred'),
    {
      'streams are counted only after a wait': [
        'position = await this.startOf(caller, lastEventId);',
        'position = await this.startOf(caller, lastEventId);\n      this.places.add(place);',
      ],
    },
  ).map((mutant) => ({ ...mutant, edits: [uncounted, ...mutant.edits] })),
  ...mutantsOf('src/processes/closing-connections.ts', 'integration/edge/stopping.slow', {
    'a connection without a request keeps the process from stopping':
      'for (const [socket, exchange] of latest) if (!exchange) socket.destroy();',
    'a connection that its client keeps delays the end of the process': ['server.closeIdleConnections()', 'undefined'],
    'a request in progress is dropped when the process stops': [
      'if (!exchange) socket.destroy();',
      'socket.destroy();',
    ],
  }),
  // Separate processes run from the build.
  ...mutantsOf('dist/src/edge/requests/secret-text.js', 'integration/edge/request-log.slow', {
    'the log contains the token from a letter’s link': ['(?:calendars|unsubscribe)', 'calendars'],
  }),
  ...mutantsOf('src/platform/http/send-text.ts', 'unit/edge/send-text', {
    'every text is sent as Latin-1': ["bytes === text.length ? 'latin1' : 'utf8'", "'latin1'"],
    'a long text is written in one turn of the event loop': 'await ownTurn();',
    'a long text is written after the client has disconnected': 'if (response.destroyed) return;',
  }),
  ...mutantsOf('src/platform/http/json-body.ts', 'unit/edge/json-body', {
    'large bodies are read in one turn of the event loop': 'if (bytes.length > smallBytes) await ownTurn();',
    'a large body is parsed and checked in one turn of the event loop': [
      'const value = parseJson(bytes);\n  await ownTurn();',
      'const value = parseJson(bytes);',
    ],
    'no limit on size': ['if (size > maxBytes)', 'if (size < 0)'],
    'any media type is accepted': ['if (!isJson(type))', 'if (false)'],
  }),
  ...mutantsOf('src/platform/http/rest-input.ts', 'unit/edge/query', {
    'all of many unknown fields are checked': 'if ((left -= 1) < 0) return;',
  }),
  ...mutantsOf('src/platform/http/json-text.ts', 'unit/edge/json-body', {
    'no limit on depth': ['if (depth > maxDepth)', 'if (depth < 0)'],
    'no limit on the number of values': ['if (!hasAtMost(bytes, maxValues))', 'if (!hasAtMost(bytes, Infinity))'],
    'NUL is accepted': ["if (text.includes('\\0'))", 'if (false)'],
    'a lone surrogate is accepted': ['if (!text.isWellFormed())', 'if (false)'],
    '__proto__ is accepted': ["if (key === '__proto__')", 'if (false)'],
    'bytes that are not UTF-8 are accepted': [
      '{ fatal: true, ignoreBOM: false }',
      '{ fatal: false, ignoreBOM: false }',
    ],
  }),
  ...mutantsOf('libs/operations/read-input.ts', 'unit/operations/read-input', {
    'unknown fields are accepted': [
      'findings.issues.push({ path: here, message: unknownIn(own, raw, name, isCompared) });',
      'given[name] = value;',
    ],
    'an id of any type is accepted': ['!idPattern(field.idOf).test(value)', 'false'],
    'every item of an oversized list is validated': ['value.slice(0, field.maxItems + 1)', 'value.slice()'],
    'lists of lists are validated': 'if (field.inner && !items.every(isPlainObject)) return [null];',
    'more unknown fields are checked than are reported': 'if (findings.issues.length >= mostIssues) break;',
    'no limit on the number of reported issues': ['issues.slice(0, mostIssues)', 'issues'],
  }),
  ...mutantsOf('libs/operations/few-invalid.ts', 'unit/operations/read-input', {
    'every invalid object of a list is judged': 'left.count > 0 && ',
  }),
  ...mutantsOf('libs/operations/read-input.ts', 'unit/operations/union', {
    'a value that selects no member has other issues too': ['else if (!isUnion(own))', 'else'],
  }),
  ...mutantsOf('libs/operations/union.ts', 'unit/operations/union', {
    'inherited property names select a member of a union': ['Object.hasOwn(members, tag)', 'tag in members'],
  }),
  ...mutantsOf('src/platform/http/json-values.ts', suite('unit/edge/json-body', 'value'), {
    'a long text ends at an escaped quote': ' && !bytes.includes(backslash)',
    'a long text is read byte by byte':
      'while (at < bytes.length && isPlain(bytes.subarray(at, at + stretch))) at += stretch;',
  }),
  ...mutantsOf('libs/bytes/base64.ts', 'unit/bytes/base64', {
    'letters of other alphabets are accepted as base64': [' || beyondLatin1.test(text)', ''],
    'the URL-safe alphabet is accepted as base64': [" || text.includes('-') || text.includes('_')", ''],
    'characters that the decoder skips are accepted as base64': [
      "return bytes === Buffer.byteLength(text, 'base64');",
      "return bytes > 0 || text === '';",
    ],
  }),
  ...mutantsOf('src/edge/answers/record-streams.ts', 'unit/edge/record-streams', {
    'each line is sent separately': 'if (text.length < chunkLength) continue;',
    'the last lines are not sent': 'if (text) yield text;',
    'each event is sent separately': ['(record && text.length < chunkLength)', 'false'],
  }),
  ...mutantsOf('libs/operations/whitelist.ts', 'integration/auth/api-keys/read-api-keys', {
    'columns that are not in the view are returned': [
      'Keep => keepFields(view);',
      'Keep => (row) => ({ ...(row as object), ...(keepFields(view)(row) as object) });',
    ],
  }),
  ...mutantsOf('libs/persistence/cursors.ts', 'unit/persistence/cursors', {
    'forged cursors are accepted': ['given.length === expected.length && timingSafeEqual(given, expected)', 'true'],
    'a cursor of another list is accepted': [".update('\\0').update(list)", ''],
  }),
  ...mutantsOf('src/doors/mcp/by-name.service.ts', 'integration/mcp/finding', {
    'a read-only address writes by name': ['if (!selection.allows(tool.operation))', 'if (false)'],
    'the reading tool writes by name': ['if (actual !== effect)', 'if (false)'],
    'the search finds operations that the caller may not use': [
      'named.filter((operation) => usable.has(operation))',
      'named',
    ],
  }),
  ...mutantsOf('src/doors/mcp/operation-search.ts', suite('integration/mcp/finding', 'finds by a word'), {
    'a search word has only one meaning': ['...meanings.map(', '...meanings.slice(0, 1).map('],
  }),
  ...mutantsOf('src/doors/mcp/synonyms.ts', suite('integration/mcp/finding', 'finds by a phrase'), {
    'phrases are searched word by word': ['length = longest;', 'length = 1;'],
  }),
  ...mutantsOf('src/edge/input/namesakes.ts', suite('integration/mcp/tools-call', 'rejects a name as an id'), {
    'one of two records with the same name is picked': ['record && !another', 'record'],
  }),
  ...mutantsOf('src/doors/mcp/call-client.ts', 'integration/mcp/streams', {
    'the call of a client that disconnected is performed': 'if (this.connection.destroyed) throw clientHasGone();',
    'a stream of progress does not open when the call begins': 'this.stream?.open();',
  }),
  ...mutantsOf('src/doors/mcp/boundary.middleware.ts', 'integration/mcp/http', {
    '/mcp accepts any Host': ['if (!this.hosts.has(hostnameOf(host)))', 'if (false)'],
    '/mcp accepts any Origin': ['if (!this.isWelcome(origin))', 'if (false)'],
  }),
  ...mutantsOf(
    'src/processes/global-entry/headers.ts',
    suite('integration/global-entry/forwarding', 'is one request'),
    {
      'a client can hide the length of its body': 'for (const name of framing) named.delete(name);',
    },
  ),
  ...mutantsOf(
    'src/processes/global-entry/headers.ts',
    suite('integration/global-entry/cells', 'the address of a client'),
    {
      'the entry trusts an address without a proxy in front of it': [
        "trustsProxies ? request.headersDistinct['x-forwarded-for'] : undefined",
        "request.headersDistinct['x-forwarded-for']",
      ],
      'the address that a proxy reported is dropped': ['...(known ?? []), request', '...([] as string[]), request'],
    },
  ),
  ...mutantsOf('libs/outbound/visit.ts', 'unit/outbound/outbound', {
    'a name is resolved again for the connection': [
      'poolOf(new URL(url).origin, checked, ',
      'poolOf(new URL(url).origin, new URL(url).hostname, ',
    ],
  }),
  ...mutantsOf('libs/outbound/outbound.ts', 'unit/outbound/outbound', {
    'requests go out over plain http': ['if (!opened && !isSecure) throw', 'if (false) throw'],
    'private addresses are requested': ['if (!opened && !addresses.every(isPublicAddress))', 'if (false)'],
    'one public address among private ones is enough': [
      '!addresses.every(isPublicAddress)',
      '!addresses.some(isPublicAddress)',
    ],
    'credentials in addresses are accepted': ['if (username || password)', 'if (false)'],
  }),
  ...mutantsOf('libs/outbound/addresses.ts', 'unit/outbound/outbound', {
    'IPv6 addresses that embed IPv4 count as public': [
      "return parsed.kind() === 'ipv4' || parsed.match(globalUnicast);",
      'return true;',
    ],
    'every address range counts as public': "if (parsed.range() !== 'unicast') return false;",
  }),
];
