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
    'a program with a credential gets a page': 'headers.authorization === undefined &&\n  ',
    'the API answers with pages': ' &&\n  !forPrograms.test(path)',
    'the start page has any client': ["=== 'text/html'", "!== 'text/plain'"],
  }),
  ...mutantsOf(module, 'integration/authorization/organization-wide', {
    'the reach before the scope': [
      guard('ScopesGuard') + guard('ReachGuard'),
      guard('ReachGuard') + guard('ScopesGuard'),
    ],
  }),
  ...mutantsOf(module, 'integration/edge/order-of-checks', {
    'the scope before the rate': [
      guard('RateLimitGuard') + guard('AllowedAddressesGuard') + guard('TwoFactorGuard') + guard('ScopesGuard'),
      guard('ScopesGuard') + guard('RateLimitGuard') + guard('AllowedAddressesGuard') + guard('TwoFactorGuard'),
    ],
  }),
  ...mutantsOf(module, suite('acceptance/authorization-lifecycle', 'second factor is missing'), {
    'the second factor before the rate': [
      guard('RateLimitGuard') + guard('AllowedAddressesGuard') + guard('TwoFactorGuard'),
      guard('TwoFactorGuard') + guard('RateLimitGuard') + guard('AllowedAddressesGuard'),
    ],
  }),
  ...mutantsOf('src/edge/limits/rate-limit.guard.ts', 'integration/edge/limits', {
    'an unavailable limiter lets through': ['...verdict, timeToBlock', '...verdict, isBlocked: false, timeToBlock'],
    'no Retry-After': "headers: { 'Retry-After': String(retryAfterSeconds) },",
  }),
  ...mutantsOf('src/edge/limits/rate-limit.guard.ts', suite('integration/auth/oauth/tokens', 'has the budget'), {
    'a token counts by its approval': ['const { principal,', 'const { id: principal,'],
  }),
  ...mutantsOf('libs/limits/rate-limit-store.ts', 'unit/limits/memory-rate-limit-store', {
    'no minute': ["hits > limit ? 'minute' :", ''],
  }),
  ...mutantsOf('libs/limits/memory-rate-limit-store.ts', 'unit/limits/memory-rate-limit-store', {
    'no burst': ['count.admitted.take(now, burstOf(limit), secondMs) > 0', 'false'],
  }),
  ...mutantsOf('libs/limits/sliding-window.ts', 'unit/limits/memory-rate-limit-store', {
    'what a burst refused counts as admitted': [
      'return oldest + windowMs - now;',
      '{ this.stamps[this.next] = now; return oldest + windowMs - now; }',
    ],
  }),
  ...mutantsOf('libs/limits/sliding-window.ts', 'unit/limits/sliding-window', {
    'another limit forgets what was let through': ['.slice(-limit)', '.slice(0, 0)'],
    'a clock that was set back refuses for as long': ['Math.abs(now - stamp)', 'now - stamp'],
  }),
  ...mutantsOf('libs/limits/redis-scripts.ts', 'integration/edge/redis-limits', {
    'no minute over all nodes': ["redis.call('HINCRBY', KEYS[1], 'hits', 1)", '1'],
    'no burst over all nodes': ['take(KEYS[2], burst, 1000000) > 0', 'false'],
  }),
  ...mutantsOf('src/edge/limits/model-budget.ts', 'integration/models/model-budget', {
    'no model budget': ['if (waitMs > 0) throw', 'if (waitMs < 0) throw'],
  }),
  ...mutantsOf('src/edge/limits/model-budget.ts', 'acceptance/model-budget', {
    'a model budget for each key': ['`models:${caller.orgId}`', '`models:${caller.credential.id}`'],
    'an unavailable model budget lets through': ['      throw this.exceeded();\n', '      return;\n'],
  }),
  ...mutantsOf('src/edge/answers/record-streams.ts', suite('integration/events/stream-events', 'ends soon after'), {
    'a stream continues without its credential': 'if (!(await isStillAllowed(context, scope))) return;',
  }),
  ...mutantsOf(
    'src/platform/events/event-feed.service.ts',
    suite('integration/events/stream-events', 'up to a hundred'),
    {
      'streams without a limit': 'if (taken >= mostStreams) throw tooManyStreams(mostStreams);',
      'a place in the feed is held for whoever went':
        'if (place.keptUntil <= now) this.places.delete(place);\n      else ',
    },
  ),
  ...mutantsOf(
    'src/platform/events/event-feed.service.ts',
    suite('integration/events/stream-events', 'up to a hundred'),
    {
      'streams are counted after a wait': [
        'position = await this.startOf(caller, lastEventId);',
        'position = await this.startOf(caller, lastEventId);\n      this.places.add(place);',
      ],
    },
  ).map((mutant) => ({ ...mutant, edits: [uncounted, ...mutant.edits] })),
  // Separate processes run from the build.
  ...mutantsOf('dist/src/edge/requests/request-log.middleware.js', 'integration/edge/request-log', {
    'the log holds the token of a letter': ['(?:calendars|unsubscribe)', 'calendars'],
  }),
  ...mutantsOf('src/platform/http/json-body.ts', 'unit/edge/json-body', {
    'large bodies are read in one turn of the loop': 'if (bytes.length > smallBytes) await ownTurn();',
    'a large body is checked in the turn of the loop that parses it': [
      'const value = parseJson(bytes);\n  await ownTurn();',
      'const value = parseJson(bytes);',
    ],
    'no limit of size': ['if (size > maxBytes)', 'if (size < 0)'],
    'any media type is taken': ['if (!isJson(type))', 'if (false)'],
  }),
  ...mutantsOf('src/platform/http/rest-input.ts', 'unit/edge/query', {
    'each of many fields is looked at': 'if ((left -= 1) < 0) return;',
  }),
  ...mutantsOf('src/platform/http/json-text.ts', 'unit/edge/json-body', {
    'no limit of depth': ['if (depth > maxDepth)', 'if (depth < 0)'],
    'no limit of values': ['if (!hasAtMost(bytes, maxValues))', 'if (!hasAtMost(bytes, Infinity))'],
    'NUL is taken': ["if (text.includes('\\0'))", 'if (false)'],
    'half a surrogate pair is taken': ['if (!text.isWellFormed())', 'if (false)'],
    '__proto__ is taken': ["if (key === '__proto__')", 'if (false)'],
    'bytes that are no UTF-8 are taken': ['{ fatal: true, ignoreBOM: false }', '{ fatal: false, ignoreBOM: false }'],
  }),
  ...mutantsOf('libs/operations/read-input.ts', 'unit/operations/read-input', {
    'unknown fields are taken': [
      'findings.issues.push({ path: here, message: unknownIn(own, raw, name, isCompared) });',
      'given[name] = value;',
    ],
    'an id of anything is an id': ['!idPattern(field.idOf).test(value)', 'false'],
    'each item of a list that is too long is judged': ['value.slice(0, field.maxItems + 1)', 'value.slice()'],
    'lists of lists are judged': 'if (field.inner && !items.every(isPlainObject)) return [null];',
    'more unknown fields are looked at than are named': 'if (findings.issues.length >= mostIssues) break;',
    'any number of issues is named': ['issues.slice(0, mostIssues)', 'issues'],
  }),
  ...mutantsOf('libs/operations/few-invalid.ts', 'unit/operations/read-input', {
    'every invalid object of a list is judged': 'left.count > 0 && ',
  }),
  ...mutantsOf('libs/operations/read-input.ts', 'unit/operations/union', {
    'a value that selects no member has further issues': ['else if (!isUnion(own))', 'else'],
  }),
  ...mutantsOf('libs/operations/union.ts', 'unit/operations/union', {
    'what every object inherits selects a member of a union': ['Object.hasOwn(members, tag)', 'tag in members'],
  }),
  ...mutantsOf('src/platform/http/json-values.ts', suite('unit/edge/json-body', 'value'), {
    'a long text ends at an escaped quote': ' && !bytes.includes(backslash)',
    'the text of a file is read byte by byte':
      'while (at < bytes.length && isPlain(bytes.subarray(at, at + stretch))) at += stretch;',
  }),
  ...mutantsOf('libs/operations/formats.ts', suite('unit/operations/formats', 'isBase64'), {
    'letters of other alphabets are base64': 'Buffer.byteLength(text) === text.length &&\n  ',
    'the alphabet of addresses is base64': "!text.includes('-') &&\n  !text.includes('_') &&\n  ",
    'what decoding passes over is base64':
      " &&\n  Buffer.from(text, 'base64').length === Buffer.byteLength(text, 'base64')",
  }),
  ...mutantsOf('src/edge/answers/record-streams.ts', 'unit/edge/record-streams', {
    'each line is sent by itself': 'if (text.length < chunkLength) continue;',
    'the last lines are kept': 'if (text) yield text;',
    'each event is sent by itself': ['(record && text.length < chunkLength)', 'false'],
  }),
  ...mutantsOf('libs/operations/whitelist.ts', 'integration/auth/api-keys/read-api-keys', {
    'columns that are no fields are shown': [
      'Keep => keepFields(view);',
      'Keep => (row) => ({ ...(row as object), ...(keepFields(view)(row) as object) });',
    ],
  }),
  ...mutantsOf('libs/persistence/cursors.ts', 'unit/persistence/cursors', {
    'a cursor that anyone wrote': ['given.length === expected.length && timingSafeEqual(given, expected)', 'true'],
    'a cursor of another list': [".update('\\0').update(list)", ''],
  }),
  ...mutantsOf('src/doors/mcp/by-name.service.ts', 'integration/mcp/finding', {
    'writes by name at an address that only reads': ['if (!selection.allows(tool.operation))', 'if (false)'],
    'a write by the tool that reads': ['if (actual !== effect)', 'if (false)'],
    'operations found that the caller may not use': ['named.filter((operation) => usable.has(operation))', 'named'],
  }),
  ...mutantsOf('src/doors/mcp/operation-search.ts', suite('integration/mcp/finding', 'finds by a word'), {
    'a word of a search means one thing': ['...meanings.map(', '...meanings.slice(0, 1).map('],
  }),
  ...mutantsOf('src/doors/mcp/synonyms.ts', suite('integration/mcp/finding', 'finds by a phrase'), {
    'phrases are searched word by word': ['length = longest;', 'length = 1;'],
  }),
  ...mutantsOf('src/edge/input/namesakes.ts', suite('integration/mcp/tools-call', 'rejects a name as an id'), {
    'one of two records of a name': ['record && !another', 'record'],
  }),
  ...mutantsOf('src/doors/mcp/boundary.middleware.ts', 'integration/mcp/http', {
    'any Host at /mcp': ['if (!this.hosts.has(hostnameOf(host)))', 'if (false)'],
    'any Origin at /mcp': ['if (!this.isWelcome(origin))', 'if (false)'],
  }),
  ...mutantsOf(
    'src/processes/global-entry/headers.ts',
    suite('integration/global-entry/forwarding', 'is one request'),
    {
      'a client has the end of its body dropped': 'for (const name of framing) named.delete(name);',
    },
  ),
  ...mutantsOf(
    'src/processes/global-entry/headers.ts',
    suite('integration/global-entry/cells', 'the address of a client'),
    {
      'an address is believed where no proxy is before the entry': [
        "trustsProxies ? request.headersDistinct['x-forwarded-for'] : undefined",
        "request.headersDistinct['x-forwarded-for']",
      ],
      'what a proxy saw of a client is dropped': ['...(known ?? []), request', '...([] as string[]), request'],
    },
  ),
  ...mutantsOf('libs/outbound/visit.ts', 'unit/outbound/outbound', {
    'a name is resolved anew to connect': ['connect: pinnedTo(checked, ', 'connect: pinnedTo(new URL(url).hostname, '],
  }),
  ...mutantsOf('libs/outbound/outbound.ts', 'unit/outbound/outbound', {
    'plain http goes out': ['if (!opened && !isSecure) throw', 'if (false) throw'],
    'private addresses are reached': ['if (!opened && !addresses.every(isPublicAddress))', 'if (false)'],
    'one public address is enough': ['!addresses.every(isPublicAddress)', '!addresses.some(isPublicAddress)'],
    'names and passwords in addresses': ['if (username || password)', 'if (false)'],
  }),
  ...mutantsOf('libs/outbound/addresses.ts', 'unit/outbound/outbound', {
    'IPv6 forms that carry IPv4 are public': [
      "return parsed.kind() === 'ipv4' || parsed.match(globalUnicast);",
      'return true;',
    ],
    'every range is public': "if (parsed.range() !== 'unicast') return false;",
  }),
];
