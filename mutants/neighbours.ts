import { type Mutant, mutantsOf, suite } from './mutant.js';

/** Guards that keep one organization's work from affecting all others. */
export const neighbours: Mutant[] = [
  ...mutantsOf('libs/fair-queue/fair-queue.ts', 'unit/fair-queue/fair-queue', {
    'an owner continues until it has nothing left': [
      '      this.turns.delete(owner);',
      '      if (items.length === 0) this.turns.delete(owner);',
    ],
    'an owner may have any number of items in progress': 'if (inProgress >= this.mostInProgress) continue;',
    'an item that is over still counts': ['this.inProgressOf(owner) - 1', 'this.inProgressOf(owner)'],
  }),
  ...mutantsOf('libs/threads/threads.ts', 'unit/threads/threads', {
    'one organization has all threads': ['Math.max(1, Math.floor(settings.threads / 2))', 'settings.threads'],
    'one organization may have any number waiting': 'if (waiting >= mostWaitingOfOwner) return false;',
    'who waits for little is refused because of who waits for much': [
      'this.displace(last);\n    return true;',
      'return false;',
    ],
    'a piece waits without end': 'waiting.timer = setTimeout(giveUp, this.settings.waitMs).unref();',
    'the next owner waits until a thread is loaded': 'for (const known of this.modules) spare.prepare(known);',
    'an idle thread learns nothing': 'if (isNew) for (const thread of this.idle) thread.prepare(module);',
    'a thread is never recycled': ' || thread.runs >= runsPerThread',
    'what waits is forgotten at the end':
      'for (let last = this.queue.lastOfMost(); last; last = this.queue.lastOfMost()) this.displace(last);',
  }),
  ...mutantsOf('libs/threads/thread.ts', 'unit/threads/threads', {
    'a piece loops for ever': ['timer = setTimeout(giveUp, withinMs);', 'isSettled = false;'],
    'a thread that ate its memory is nothing special': ["=== 'ERR_WORKER_OUT_OF_MEMORY'", '=== undefined'],
    'a thread knows the secrets of the process': 'env: {},',
  }),
  ...mutantsOf('libs/threads/priority.ts', suite('unit/threads/threads', 'leave the cores'), {
    'heavy work competes with the event loop': 'if (isLinux) setPriority(constants.priority.PRIORITY_LOW);',
    'its garbage competes with the event loop': 'setPriority(id, constants.priority.PRIORITY_BELOW_NORMAL)',
  }),
  ...mutantsOf('libs/operations/read-input.ts', suite('unit/operations/read-input', 'first twenty'), {
    'each unknown field is compared with all that there are': ['findings.issues.length < mostCompared', 'true'],
  }),
  ...mutantsOf('src/platform/http/json-body.ts', 'unit/edge/large-bodies', {
    'a file in base64 is read in the way of requests': [
      'if (!readLarge || bytes.length <= usualMaxBytes) return',
      'return',
    ],
  }),
  ...mutantsOf('src/edge/input/large-bodies.ts', 'unit/edge/large-bodies', {
    'what is wrong with a large body is forgotten': "if ('issues' in answer) throw invalidInput(answer.issues);",
    'a large body that takes too long is a fault of the service': [
      "error instanceof WorkKilled ? refused('The body takes too long to read.') : error",
      'error',
    ],
  }),
  ...mutantsOf('libs/idempotency/fingerprint.ts', 'unit/idempotency/fingerprint', {
    'a file is hashed in one turn of the loop': 'await nextTurn();',
    'a piece of a file ends within a character': ['(isWhole ? 0 : 1)', '0'],
  }),
  ...mutantsOf('libs/turns/turns.ts', 'unit/turns/turns', {
    'work that grows with its input holds the event loop': '    if (loopShare.isUsedUp) await loopShare.next();\n',
    'each kind of work has a share of its own': ['    begin();\n    return false;', '    return false;'],
    'an organization has used up the share of another': ['begun.get(loopTime.owner)', '[...begun.values()][0]'],
    'each who gives the event loop up has the same turn': [
      'last = last.then(() => new Promise(setImmediate))',
      'new Promise(setImmediate)',
    ],
    'whoever continues works for another': 'loopTime.enter(owner);',
  }),
  ...mutantsOf('libs/persistence/transaction.ts', suite('integration/persistence/transaction', 'several trips'), {
    'many statements are sent at a time': ['const mostValuesAtOnce = 500', 'const mostValuesAtOnce = Infinity'],
    'long lists are sent at a time': ['Array.isArray(value) ? value.length : 1', '1'],
  }),
  ...mutantsOf('libs/persistence/table-reader.ts', suite('integration/tasks/change-tasks-in-bulk', 'event loop'), {
    'many rows are read in one turn': [
      'await mapInTurns(await this.database.rows(orgId, text, where.values), this.toEntity)',
      '(await this.database.rows(orgId, text, where.values)).map(this.toEntity)',
    ],
  }),
  ...mutantsOf('libs/persistence/table.ts', suite('integration/tasks/change-tasks-in-bulk', 'event loop'), {
    'many rows are compared in one turn': ['await mapInTurns(rows, isOther)', 'rows.map(isOther)'],
  }),
  ...mutantsOf('libs/errors/envelope.ts', suite('integration/tasks/change-tasks-in-bulk', 'event loop'), {
    'a long answer is written in one turn': ['await mapInTurns(value.data, (record) =>', 'value.data.map((record) =>'],
  }),
  ...mutantsOf('src/platform/events/events.service.ts', suite('integration/tasks/change-tasks-in-bulk', 'event loop'), {
    'what became of many records is recorded in one turn': [
      'await mapInTurns(changes, ({ type, after, before }) =>',
      'changes.map(({ type, after, before }) =>',
    ],
  }),
  ...mutantsOf(
    'src/features/reservations/imports/imports.service.ts',
    suite('integration/reservations/ical-import', 'event loop'),
    {
      'all stays are compared in one turn': [
        'for (const stay of stays) {\n      if (loopShare.isUsedUp) await loopShare.next();',
        'for (const stay of stays) {',
      ],
    },
  ),
  ...mutantsOf(
    'src/features/reservations/imports/imports.service.ts',
    suite('integration/reservations/large-import', 'in parts, records'),
    { 'a large calendar is imported in one transaction': ['const mostAtOnce = 100;', 'const mostAtOnce = 10_000;'] },
  ),
  ...mutantsOf(
    'src/features/reservations/ical/calendar-work.ts',
    suite('unit/reservations/ical/calendar-work', 'several turns'),
    {
      'all stays of a file are taken over at a time': ['const mostInText = 200', 'const mostInText = 1_000_000'],
    },
  ),
  ...mutantsOf('src/features/templates/liquid.ts', suite('unit/templates/letter', 'for all of its fields'), {
    'each field of a letter has time and memory of its own': ['{ ...this.limits, liquid }', '{ liquid }'],
    'each field of a letter has a length of its own': ['this.length += result.length', 'this.length = result.length'],
  }),
  ...mutantsOf('src/features/templates/template-work.service.ts', 'unit/templates/template-work', {
    'what takes too much is a fault of the service': ['error instanceof WorkKilled ? killed() : error', 'error'],
    'MJML that takes too much is a fault of the service':
      "if (error instanceof WorkKilled) return { html: '', faults: [tooMuch] };",
  }),
  ...mutantsOf(
    'src/features/templates/template-work.service.ts',
    suite('integration/templates/templates', 'works in a thread'),
    {
      'letters are rendered in the way of requests': [
        'await this.run(work.render, orgId, source, () => templateDoesNotRender(notRendered.message))',
        "(await import('./letter-work.js')).render(...source)",
      ],
    },
  ),
  ...mutantsOf(
    'src/features/reservations/ical/feeds.service.ts',
    suite('integration/reservations/ical-feed', 'from the cache'),
    {
      'a calendar is made each time': ['file?.stamp === stamp ? file : ', ''],
      'a calendar is made for each who asks': 'if (known) return known;',
      'a calendar keeps an old name': ['`${stays} ${name}`', 'stays'],
    },
  ),
  ...mutantsOf(
    'src/features/reservations/ical/feeds.service.ts',
    suite('integration/reservations/ical-feed', 'at a time'),
    {
      'each who asks for a calendar has it looked at': [
        'await this.lookups.share(propertyId, () => this.files.kept(shown))',
        'await this.files.kept(shown)',
      ],
    },
  ),
  ...mutantsOf('src/features/reservations/ical/shared-lookups.ts', 'unit/reservations/ical/shared-lookups', {
    'who asks is shown what was looked up before': ['const known = this.next.get(key);', 'const known = current;'],
    'each who waits has a look to itself': 'if (known) return known;',
  }),
  ...mutantsOf(
    'src/features/reservations/ical/feeds.repository.ts',
    suite('integration/reservations/ical-feed', 'immediately'),
    {
      'a calendar does not show a stay that was changed': ["|| ' ' || version", ''],
      'a calendar does not show which stays there are': ["id::text || ' ' || version", 'version::text'],
    },
  ),
  ...mutantsOf('src/features/reservations/ical/calendars.controller.ts', 'integration/reservations/ical-feed', {
    'a calendar is sent to those who have it': 'if (isKnown(request, etag)) response.status(304).end();\n    else ',
    'a calendar is compressed for all': ["if (request.acceptsEncodings('gzip')) ", 'if (etag) '],
  }),
  ...mutantsOf('src/features/reservations/ical/calendar-work.service.ts', 'unit/reservations/ical/calendar-work', {
    'a calendar that takes too long is a fault of the service': [
      "error instanceof WorkKilled ? new UnreadableCalendar('The calendar takes too long to read.') : error",
      'error',
    ],
  }),
  ...mutantsOf('libs/recurrence/recurrence-rule.ts', suite('unit/recurrence/recurrence-rule', 'of centuries'), {
    'a series is followed from its first day on': ['takenUp(parts, start, from)', 'start'],
    'a series is taken up between its days': ["* Number(parts.get('INTERVAL') ?? 1) * dayMs", '* dayMs'],
  }),
  ...mutantsOf('src/features/workflows/schedule-times.ts', suite('unit/workflows/schedule', 'timesBetween'), {
    'times before are taken for times between': 'time > after && ',
    'times behind are taken for times between': ' && time <= until',
    'a time that the clocks skip comes twice': ['[...new Set(times)]', 'times'],
  }),
  ...mutantsOf('src/features/workflows/schedule-work.service.ts', 'unit/workflows/schedule-work', {
    'a schedule that takes too long is a fault of the service': [
      'error instanceof WorkKilled ? scheduleTakesTooLong() : error',
      'error',
    ],
  }),
  ...mutantsOf(
    'src/features/workflows/dry-runs.service.ts',
    suite('integration/workflows/definitions', 'in a thread'),
    {
      'a dry run follows its schedule in the way of requests': [
        'this.schedules.timesBetween(caller.orgId, trigger,',
        "(await import('./schedule-times.js')).timesBetween(trigger,",
      ],
    },
  ),
  ...mutantsOf('src/platform/events/event-feed.service.ts', 'unit/events/event-feed', {
    'each stream looks by itself': ['this.looks.get(key) ?? ', ''],
    'a look shows what another may read': ['[...caller.permissions].sort()', 'null'],
    'a look shows the properties of another': ['caller.orgId, caller.propertyIds, ', 'caller.orgId, '],
    'a look continues for ever': '.then(() => this.looks.delete(key))',
  }),
  ...mutantsOf('src/platform/audit/audit-entries.service.ts', 'unit/events/audit-exports', {
    'all exports of an organization read at the same time': ['before ? before.then(read) : read()', 'read()'],
  }),
  ...mutantsOf('src/doors/mcp/json-rpc.ts', suite('integration/mcp/tools-list', 'the cached bytes'), {
    'the list of tools is copied for each answer': ['response.write(bytes);', 'response.write(Buffer.from(bytes));'],
  }),
  ...mutantsOf(
    'src/features/workflows/definition-issues.ts',
    suite('integration/workflows/definitions', 'a year ago'),
    {
      'a schedule begins centuries ago': ['if (startsOn >= earliest) return [];', 'return [];'],
      'a schedule that has gone on for a year cannot be changed':
        "if (before?.kind === 'schedule' && startsOn === before.startsOn) return [];",
    },
  ),
];
