import { type Mutant, mutantsOf, suite } from './mutant.js';

/** Guards that keep one organization's work from affecting all others. */
export const neighbours: Mutant[] = [
  ...mutantsOf('libs/fair-queue/fair-queue.ts', 'unit/fair-queue/fair-queue', {
    'an owner keeps its turn until it has no items left': [
      '      this.turns.delete(owner);',
      '      if (items.length === 0) this.turns.delete(owner);',
    ],
    'no limit on an owner’s items in progress': 'if (inProgress >= this.mostInProgress) continue;',
    'a completed item still counts as in progress': ['this.inProgressOf(owner) - 1', 'this.inProgressOf(owner)'],
  }),
  ...mutantsOf('libs/threads/threads.ts', 'unit/threads/threads.slow', {
    'one organization may use all threads': ['Math.max(1, Math.floor(settings.threads / 2))', 'settings.threads'],
    'no limit on an organization’s waiting jobs': 'if (waiting >= mostWaitingOfOwner) return false;',
    'an organization with few waiting jobs is rejected because of one with many': [
      'this.displace(last);\n    return true;',
      'return false;',
    ],
    'a job may wait without a time limit': 'waiting.timer = setTimeout(giveUp, this.settings.waitMs).unref();',
    'a spare thread does not load its modules in advance': 'for (const known of this.modules) spare.prepare(known);',
    'an idle thread does not load new modules': 'if (isNew) for (const thread of this.idle) thread.prepare(module);',
    'a thread is never recycled': ' || thread.runs >= runsPerThread',
    'waiting jobs are never rejected at shutdown':
      'for (let last = this.queue.lastOfMost(); last; last = this.queue.lastOfMost()) this.displace(last);',
  }),
  ...mutantsOf('libs/threads/thread.ts', 'unit/threads/threads.slow', {
    'a job may run without a time limit': ['timer = setTimeout(giveUp, withinMs);', 'isSettled = false;'],
    'a thread that ran out of memory is reported as any error': ["=== 'ERR_WORKER_OUT_OF_MEMORY'", '=== undefined'],
    'a thread sees the environment of the process': 'env: {},',
  }),
  ...mutantsOf('libs/threads/priority.ts', suite('unit/threads/threads.slow', 'leave the cores'), {
    'heavy work has the priority of the event loop': 'if (isLinux) setPriority(constants.priority.PRIORITY_LOW);',
    'garbage collection has the priority of the event loop':
      'setPriority(id, constants.priority.PRIORITY_BELOW_NORMAL)',
  }),
  ...mutantsOf(
    'libs/embedded-postgres/embedded-postgres.ts',
    suite('integration/embedded-postgres/embedded-postgres.slow', 'creates a cluster'),
    { 'commits wait while a segment of the log is filled with zeros': "wal_init_zero: 'off'," },
  ),
  ...mutantsOf('libs/operations/field.ts', suite('unit/operations/read-input', 'characters of texts'), {
    'texts are counted in UTF-16 units': ['const length = codePointsIn(text);', 'const { length } = text;'],
  }),
  ...mutantsOf('libs/operations/read-input.ts', suite('unit/operations/read-input', 'first twenty'), {
    'every unknown field is compared with all known ones': ['findings.issues.length < mostCompared', 'true'],
  }),
  ...mutantsOf('src/platform/http/json-body.ts', 'unit/edge/large-bodies', {
    'a large body is parsed on the event loop': ['if (!readLarge || bytes.length <= usualMaxBytes) return', 'return'],
  }),
  ...mutantsOf('src/platform/http/json-body.ts', 'unit/edge/json-body', {
    'chunks of a large body are left to garbage collection': 'if (bytes.length > smallBytes) chunks.forEach(free);',
  }),
  ...mutantsOf('dist/src/processes/run-bundled.js', 'unit/garbage', {
    'V8 collects everything when some buffers have come together':
      "setFlagsFromString('--external-memory-accounted-in-global-limit');",
    'V8 puts objects of requests among old ones': "setFlagsFromString('--no-allocation-site-pretenuring');",
  }),
  ...mutantsOf('libs/bytes/free.ts', 'unit/bytes/base64', {
    'memory of others is freed too': [' && buffer.byteLength === byteLength', ''],
  }),
  ...mutantsOf('libs/threads/program.ts', 'unit/threads/threads.slow', {
    'buffers of a result are copied': [', movedBy(answer)', ''],
  }),
  ...mutantsOf('src/edge/input/json-work.ts', 'unit/edge/large-bodies', {
    'a thread returns files as text': ["typeof text !== 'string' || !isBase64(text)", 'true'],
    'a thread decodes what is not base64': [' || !isBase64(text)', ''],
  }),
  ...mutantsOf('src/doors/mcp/mcp.controller.ts', 'integration/tasks/large-files', {
    'files of a message are left to garbage collection': 'this.messages.free(body);',
  }),
  ...mutantsOf('src/doors/mcp/mcp.controller.ts', 'integration/mcp/http', {
    'a large message need not be a call': [
      'request.context.largeMessageBytes !== undefined && !callsTool',
      'request.context.largeMessageBytes === 0',
    ],
  }),
  ...mutantsOf('src/doors/mcp/tool-calls.service.ts', 'integration/tasks/large-files', {
    'every operation accepts a large message': [
      'if (largeMessageBytes > mostBytes) return refuseCall(response, id, sizeLimit(mostBytes));',
      '',
    ],
  }),
  ...mutantsOf('src/edge/operation.interceptor.ts', 'integration/tasks/large-files', {
    'files are left to garbage collection once they are answered':
      'if (operation.maxBodyBytes !== undefined) this.bodies.free(context.raw?.body);',
  }),
  ...mutantsOf('src/edge/input/large-bodies.ts', 'unit/edge/large-bodies', {
    'issues of a large body are not reported': "if ('issues' in answer) throw invalidInput(answer.issues);",
    'a large body that takes too long is an internal error': [
      "error instanceof WorkKilled ? refused('The body takes too long to read.') : error",
      'error',
    ],
  }),
  ...mutantsOf('libs/idempotency/fingerprint.ts', 'unit/idempotency/fingerprint', {
    'a file is hashed in one turn of the event loop': 'await nextTurn();',
    'a chunk of a file ends within a character': ['(isWhole ? 0 : 1)', '0'],
    'a file that is decoded already has another identity': ['value instanceof DecodedBase64 || ', ''],
  }),
  ...mutantsOf('libs/turns/turns.ts', 'unit/turns/turns', {
    'work that grows with its input holds the event loop': '    if (loopShare.isUsedUp) await loopShare.next();\n',
    'each kind of work has its own share of the event loop': ['    begin();\n    return false;', '    return false;'],
    'an organization uses up the share of another': ['begun.get(loopTime.owner)', '[...begun.values()][0]'],
    'all work that yields continues in the same turn': [
      'last = last.then(() => new Promise(setImmediate))',
      'new Promise(setImmediate)',
    ],
    'work that continues counts for another organization': 'loopTime.enter(owner);',
  }),
  ...mutantsOf('libs/persistence/connections.ts', suite('integration/persistence/transaction', 'transaction once'), {
    'the statements of a booking are planned each time': [
      'isWork ? organizationWork(orgId) : organizationSetting(orgId)',
      'organizationSetting(orgId)',
    ],
    'reads are planned once too': [
      'isWork ? organizationWork(orgId) : organizationSetting(orgId)',
      'organizationWork(orgId)',
    ],
  }),
  ...mutantsOf('libs/persistence/transaction.ts', suite('integration/persistence/transaction', 'at the same time'), {
    'what is asked for at the same time takes a trip each': [
      'const asked = this.asked.splice(0);',
      'const asked = this.asked.splice(0, 1);\n    if (this.asked.length > 0) queueMicrotask(() => void this.ask());',
    ],
  }),
  ...mutantsOf('libs/persistence/transaction.ts', 'integration/persistence/transaction', {
    'what a part that failed has kept is written': [
      '    this.kept.clear();\n    for (const [write, items] of kept)',
      '    for (const [write, items] of kept)',
    ],
    'what a part that failed has written is lost': 'for (const [write, items] of kept) this.kept.set(write, items);',
    'a part that failed takes along what was deferred before it': ['Math.max(unsent, 0)', '0'],
    'a savepoint that was not reached hides why': [
      'await this.run(statements).catch(() => undefined)',
      'await this.run(statements)',
    ],
    'what a part that failed has sent stays': 'await this.run(statements).catch(() => undefined);',
    'a part within a part undoes the one around it': ['${command} part_${depth}', '${command} part_${depth && 1}'],
  }),
  ...mutantsOf('libs/persistence/database.ts', 'integration/persistence/transaction', {
    'what a transaction keeps is never written': '          await transaction.writeKept();\n',
  }),
  ...mutantsOf('src/edge/writes/idempotent-writes.ts', 'integration/approvals/carried-out', {
    'the first try of an approved write that fails stays': ['operation.repeatable && isOwn', 'operation.repeatable'],
  }),
  ...mutantsOf('src/platform/events/event-records.ts', 'integration/events/recorded-together', {
    'each record of a booking has statements of its own': [
      'if (fits && last.length',
      'if (false && fits && last.length',
    ],
    'a record that changes twice is told once': [' && !subjects.has(id)', ''],
    'all that a transaction records is told as done by the first': [
      'last?.[0]?.by === one.by && last[0]',
      'last?.[0] && last[0]',
    ],
    'new records are counted like others': [' && last[0].isOpening === one.isOpening', ''],
  }),
  ...mutantsOf('libs/persistence/transaction.ts', suite('integration/persistence/transaction', 'several trips'), {
    'all statements are sent at the same time': ['const mostValuesAtOnce = 500', 'const mostValuesAtOnce = Infinity'],
    'long lists are sent at the same time': ['Array.isArray(value) ? value.length : 1', '1'],
  }),
  ...mutantsOf('libs/persistence/table-reader.ts', suite('integration/tasks/change-tasks-in-bulk.slow', 'event loop'), {
    'many rows are read in one turn of the event loop': [
      'await mapInTurns(await this.database.rows(orgId, text, where.values), this.toEntity)',
      '(await this.database.rows(orgId, text, where.values)).map(this.toEntity)',
    ],
  }),
  ...mutantsOf('libs/persistence/table.ts', suite('integration/tasks/change-tasks-in-bulk.slow', 'event loop'), {
    'many rows are compared in one turn of the event loop': ['await mapInTurns(rows, isOther)', 'rows.map(isOther)'],
  }),
  ...mutantsOf('libs/errors/envelope.ts', suite('integration/tasks/change-tasks-in-bulk.slow', 'event loop'), {
    'a long response is serialized in one turn of the event loop': [
      'await mapInTurns(value.data, (record) =>',
      'value.data.map((record) =>',
    ],
  }),
  ...mutantsOf(
    'src/platform/events/events.service.ts',
    suite('integration/tasks/change-tasks-in-bulk.slow', 'event loop'),
    {
      'the events of many records are recorded in one turn of the event loop': [
        'await mapInTurns(changes, ({ type, after, before }) =>',
        'changes.map(({ type, after, before }) =>',
      ],
    },
  ),
  ...mutantsOf(
    'src/features/reservations/imports/imports.service.ts',
    suite('integration/reservations/ical-import.slow', 'event loop'),
    {
      'all stays are compared in one turn of the event loop': [
        'for (const stay of stays) {\n      if (loopShare.isUsedUp) await loopShare.next();',
        'for (const stay of stays) {',
      ],
    },
  ),
  ...mutantsOf(
    'src/features/reservations/imports/imports.service.ts',
    suite('integration/reservations/large-import.slow', 'in parts, records'),
    { 'a large calendar is imported in one transaction': ['const mostAtOnce = 100;', 'const mostAtOnce = 10_000;'] },
  ),
  ...mutantsOf('src/features/reservations/ical/calendar-work.ts', 'unit/reservations/ical/calendar-work', {
    'letters that are not in the charset are replaced': ['{ fatal: true }', '{ fatal: false }'],
    'letters that a line is folded in are lost': [".replaceAll(/\\r?\\n[ \\t]/g, '')", ''],
  }),
  ...mutantsOf(
    'src/features/reservations/ical/ical.provider.ts',
    suite('integration/reservations/ical-import.slow', 'charset'),
    {
      'the charset of a calendar is ignored': ['{ timezone, today, charset }', '{ timezone, today }'],
    },
  ),
  ...mutantsOf(
    'src/features/reservations/ical/calendar-work.ts',
    suite('unit/reservations/ical/calendar-work', 'several turns'),
    {
      'all stays of a file are processed at the same time': ['const mostInText = 200', 'const mostInText = 1_000_000'],
    },
  ),
  ...mutantsOf('src/features/templates/liquid.ts', suite('unit/templates/letter', 'for all of its fields'), {
    'each field of a letter has its own limits of time and memory': ['{ ...this.limits, liquid }', '{ liquid }'],
    'each field of a letter has its own length limit': ['this.length += result.length', 'this.length = result.length'],
  }),
  ...mutantsOf('src/features/templates/template-work.service.ts', 'unit/templates/template-work', {
    'a template that takes too long is an internal error': ['error instanceof WorkKilled ? killed() : error', 'error'],
    'MJML that takes too long is an internal error':
      "if (error instanceof WorkKilled) return { html: '', faults: [tooMuch] };",
  }),
  ...mutantsOf(
    'src/features/templates/template-work.service.ts',
    suite('integration/templates/templates.slow', 'works in a thread'),
    {
      'letters are rendered on the event loop': [
        'await this.run(work.render, orgId, source, () => templateDoesNotRender(notRendered.message))',
        "(await import('./letter-work.js')).render(...source)",
      ],
    },
  ),
  ...mutantsOf(
    'src/features/reservations/ical/feeds.service.ts',
    suite('integration/reservations/ical-feed.slow', 'from the cache'),
    {
      'a calendar is generated for each request': ['file?.stamp === stamp ? file : ', ''],
      'simultaneous requests for a calendar each generate it': 'if (known) return known;',
      'a calendar keeps an outdated name': ['`${stays} ${name}`', 'stays'],
    },
  ),
  ...mutantsOf(
    'src/features/reservations/ical/feeds.service.ts',
    suite('integration/reservations/ical-feed.slow', 'at a time'),
    {
      'simultaneous requests for a calendar each query its state': [
        'await this.lookups.share(propertyId, () => this.files.kept(shown))',
        'await this.files.kept(shown)',
      ],
    },
  ),
  ...mutantsOf('src/features/reservations/ical/shared-lookups.ts', 'unit/reservations/ical/shared-lookups', {
    'a request gets a lookup that started before it': ['const known = this.next.get(key);', 'const known = current;'],
    'waiting requests do not share a lookup': 'if (known) return known;',
  }),
  ...mutantsOf(
    'src/features/reservations/ical/feeds.repository.ts',
    suite('integration/reservations/ical-feed.slow', 'immediately'),
    {
      'a calendar does not show a changed stay': ["|| ' ' || version", ''],
      'a calendar does not show added and removed stays': ["id::text || ' ' || version", 'version::text'],
    },
  ),
  ...mutantsOf('src/features/reservations/ical/calendars.controller.ts', 'integration/reservations/ical-feed.slow', {
    'a calendar is sent to clients that have the current one':
      'if (isKnown(request, etag)) response.status(304).end();\n    else ',
    'a calendar is compressed for every client': ["if (request.acceptsEncodings('gzip')) ", 'if (etag) '],
  }),
  ...mutantsOf('src/features/reservations/ical/calendar-work.service.ts', 'unit/reservations/ical/calendar-work', {
    'a calendar that takes too long is an internal error': [
      "error instanceof WorkKilled ? new UnreadableCalendar('The calendar takes too long to read.') : error",
      'error',
    ],
  }),
  ...mutantsOf('libs/recurrence/recurrence-rule.ts', suite('unit/recurrence/recurrence-rule', 'of centuries'), {
    'a series is computed from its first day on': ['takenUp(parts, start, from)', 'start'],
    'a series is resumed between its days': ["* Number(parts.get('INTERVAL') ?? 1) * dayMs", '* dayMs'],
  }),
  ...mutantsOf('src/features/workflows/schedule-times.ts', suite('unit/workflows/schedule', 'timesBetween'), {
    'times before the range count as within it': 'time > after && ',
    'times after the range count as within it': ' && time <= until',
    'a time that the clocks skip occurs twice': ['[...new Set(times)]', 'times'],
  }),
  ...mutantsOf('src/features/workflows/schedule-work.service.ts', 'unit/workflows/schedule-work', {
    'a schedule that takes too long is an internal error': [
      'error instanceof WorkKilled ? scheduleTakesTooLong() : error',
      'error',
    ],
  }),
  ...mutantsOf(
    'src/features/workflows/dry-runs.service.ts',
    suite('integration/workflows/definitions.slow', 'in a thread'),
    {
      'a dry run computes its schedule on the event loop': [
        'this.schedules.timesBetween(caller.orgId, trigger,',
        "(await import('./schedule-times.js')).timesBetween(trigger,",
      ],
    },
  ),
  ...mutantsOf('src/platform/events/event-feed.service.ts', 'unit/events/event-feed', {
    'each stream queries the feed separately': ['this.looks.get(key) ?? ', ''],
    'a shared query shows what only another caller may read': ['[...caller.permissions].sort()', 'null'],
    'a shared query shows another caller’s properties': ['caller.orgId, caller.propertyIds, ', 'caller.orgId, '],
    'a shared query is kept forever': '.then(() => this.looks.delete(key))',
  }),
  ...mutantsOf('src/platform/audit/audit-entries.service.ts', 'unit/events/audit-exports', {
    'exports of an organization read in parallel': ['before ? before.then(read) : read()', 'read()'],
  }),
  ...mutantsOf('src/doors/mcp/json-rpc.ts', suite('integration/mcp/tools-list', 'the cached bytes'), {
    'the list of tools is copied for each response': ['response.write(bytes);', 'response.write(Buffer.from(bytes));'],
  }),
  ...mutantsOf(
    'src/features/workflows/definition-issues.ts',
    suite('integration/workflows/definitions.slow', 'a year ago'),
    {
      'a schedule may start centuries ago': ['if (startsOn >= earliest) return [];', 'return [];'],
      'a schedule that started over a year ago cannot be changed':
        "if (before?.kind === 'schedule' && startsOn === before.startsOn) return [];",
    },
  ),
];
