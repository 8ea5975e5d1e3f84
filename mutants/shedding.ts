import { type Mutant, mutantsOf, suite } from './mutant.js';

/** Who is rejected under overload, and who may hold shared resources. */
export const shedding: Mutant[] = [
  ...mutantsOf('src/platform/health/shed-owners.ts', 'unit/health/shed-owners', {
    'light users are rejected together with heavy ones': [' || ms < total / recent.size', ''],
    'rejection is not extended to lighter users': ['0.5 ** level', '0.5'],
  }),
  ...mutantsOf('src/edge/overload/shedding.middleware.ts', suite('unit/edge/visitors', 'a probe'), {
    'probes wait behind organizations': [' && !isProbe(path)', ''],
  }),
  ...mutantsOf('libs/loop-time/loop-time.ts', 'unit/loop-time/loop-time', {
    'waiting counts as used time': ['now - idle - this.activeMs', 'now - this.activeMs'],
    'old work counts forever': ['use[which] * 2 ** ((use.at - now) / halfLivesMs[which])', 'use[which]'],
    'work of a connection counts for the last owner': ['this.enter(this.servedBy.get(client))', 'undefined'],
  }),
  ...mutantsOf('libs/loop-time/ahead.ts', 'unit/loop-time/ahead', {
    'an owner without competitors counts as ahead': [' && total - ms >= othersMs', ''],
    'an owner who uses little of the loop counts as ahead': [' && loop.lately(owner) >= leastMs', ''],
    'every owner counts as ahead': ['ms >= total / recent.size && ', ''],
  }),
  ...mutantsOf('libs/loop-time/late-loop.ts', 'unit/loop-time/late-loop', {
    'the event loop always counts as late': ['return this.askedAt < this.lateUntil;', 'return true;'],
    'the event loop stays late forever': ['now + holdMs', 'Infinity'],
    'a timer never stops': 'clearInterval(this.timer);',
  }),
  ...mutantsOf('libs/turns/in-progress.ts', 'unit/edge/request-turns', {
    'a long request blocks the next one': ['if (this.now() - request.at < holdsMs) break;', 'break;'],
  }),
  ...mutantsOf('libs/turns/give-way.ts', 'unit/turns/give-way', {
    'long work yields while the event loop is on time': ['lateLoop.isLate && ', ''],
    'long work of every owner yields': [' && ahead.has(owner)', ''],
    'long work yields although nobody else waits': ['some.ofOthers(owner)', 'some'],
    'long work does not yield to those who only arrive': ['requestsInProgress, arrivingRequests', 'requestsInProgress'],
    'all pieces of an owner pause at the same time': '  await last;\n',
    'pieces pause although nobody waits any more': ['if (isInTheWay(owner)) await wait', 'await wait'],
  }),
  ...mutantsOf('libs/outbound/visit.ts', 'unit/outbound/outbound', {
    'what an organization fetches is read on account of others':
      "socket.prependListener('readable', () => loopTime.enter(owner));",
  }),
  ...mutantsOf('libs/threads/threads.ts', suite('unit/threads/threads.slow', 'whose job ended'), {
    'what a thread returns is handled on account of others': '      loopTime.enter(owner);\n',
  }),
  ...mutantsOf('src/platform/http/json-body.ts', 'unit/edge/json-body', {
    'a body is received on account of others': '      loopTime.enter(owner);\n',
  }),
  ...mutantsOf('libs/turns/turns.ts', 'unit/turns/give-way', {
    'long work never yields': 'await giveWay(owner);',
  }),
  ...mutantsOf('src/edge/overload/request-turns.ts', 'unit/edge/request-turns', {
    'requests wait for their turn while the event loop is on time': ['!this.late.isLate || ', ''],
    'requests of every owner wait for their turn': [' || !this.ahead.has(owner)', ''],
    'no limit on an owner’s requests in progress': 'if (this.inProgress.of(owner) > 0) return false;',
    'requests of other owners do not go first': [' || !this.inProgress.ofOthers(owner)', ' || true'],
    'requests of other owners go first forever': ['heldMs >= yieldsMs || ', ''],
    'no limit on an owner’s queries in progress': ['this.connections(owner) >= mostConnections', 'false'],
    'queries block the next request forever': [' && heldMs < connectionWaitMs', ''],
    'a new request overtakes waiting ones': ['requests.waiting.size > 0 || ', ''],
    'requests wait forever':
      'for (const request of waiting) if (this.now() - request.since >= waitsMs) leave(waiting, request);',
    'a client that has disconnected gets a turn': "response.once('close', () => leave(waiting, request));",
    'an owner gets two turns in a row': ['    this.owners.delete(owner);\n    this.owners.set(owner, requests);\n', ''],
    'waiting requests are forgotten': ['requests.waiting.size === 0 && this.inProgress', 'this.inProgress'],
    'owners without requests are kept':
      'if (requests.waiting.size === 0 && this.inProgress.of(owner) === 0) this.owners.delete(owner);',
    'waiting requests continue in one turn of the event loop': [
      'setImmediate(request.end, mayGoOn)',
      'request.end(mayGoOn)',
    ],
  }),
  ...mutantsOf('src/edge/overload/long-operations.ts', 'unit/edge/long-operations', {
    'long operations of an organization run together': ['lane.running === 0 || ', 'lane.running >= 0 || '],
    'long operations wait although nobody is delayed': [' || !this.ahead.has(owner)', ''],
    'operations that wait for devices wait for each other': [' || this.connections(owner) === 0', ''],
    'every operation counts as long': ['(this.long.get(key) ?? 0) > this.now()', 'true'],
    'what took long once is long forever': ['this.now() + rememberedMs', 'Infinity'],
    'an operation that failed is never over': ['if (isLong) this.end(owner);', ''],
    'a long operation waits for the last one however long that takes':
      'lane.timer ??= setInterval(() => this.next(owner, lane), waitsMs).unref();',
    'the timer of long operations never stops': 'clearInterval(lane.timer);',
    'organizations with long operations are kept': 'if (lane.running === 0) this.lanes.delete(owner);',
    'everything that took long is remembered':
      'if (oldest !== undefined && this.long.size > mostRemembered) this.long.delete(oldest);',
  }),
  ...mutantsOf('src/processes/http-server.ts', suite('integration/edge/http', 'reads nothing'), {
    'a client that reads nothing keeps its response in memory': '  server.timeout = silenceTimeoutMs;\n',
  }),
  ...mutantsOf('src/edge/operation.interceptor.ts', suite('integration/edge/rehearsals', 'long operation'), {
    'long operations do not wait for each other': [
      'this.long.during(caller.orgId, operation.name, () =>',
      '((perform: () => Promise<Answer>) => perform())(() =>',
    ],
  }),
  ...mutantsOf('src/edge/overload/shedding.guard.ts', suite('integration/edge/overload.slow', 'one at a time'), {
    'requests do not wait for their turn': ['turn === true || this.wait(caller.orgId, turn)', 'true'],
  }),
  // Separate processes run from the build.
  ...mutantsOf('dist/src/processes/ops/main.program.js', suite('integration/ops/command-line.slow', 'may end with 1'), {
    'verifying the audit trail has the priority of the service': 'setPriority(constants.priority.PRIORITY_LOW)',
  }),
  ...mutantsOf(
    'src/edge/overload/shedding.guard.ts',
    suite('integration/edge/overload.slow', 'an organization that blocks the event loop is rejected'),
    {
      'the cause of an overload is not rejected': 'if (refusal) throw refusal;',
      'requests count for no organization': 'loopTime.enter(caller.orgId);',
    },
  ),
  ...mutantsOf('libs/loop-time/overload-delay.ts', 'unit/loop-time/overload-delay', {
    'waiting for a core counts as overload': ['Math.min(lateMs, computedMs)', 'lateMs'],
    'an event loop that is late most of the time counts as on time': [
      ' || this.beyondMs > mostOfTime * this.totalMs',
      '',
    ],
    'old delays of the event loop count': '[this.longestComputedMs, this.totalMs, this.beyondMs] = [0, 0, 0];',
  }),
  ...mutantsOf(
    'src/platform/health/overload.ts',
    suite('integration/edge/overload.slow', 'an organization that blocks the event loop is rejected'),
    {
      'all owners are rejected at the first sign of overload': ['Math.min(this.level + 1, allRefused)', 'allRefused'],
    },
  ),
  ...mutantsOf('src/platform/health/overload.ts', 'unit/health/overload', {
    'one late second counts as overload': ['if (isLate && this.wasLate)', 'if (isLate)'],
    'all owners stay rejected while the event loop is on time': ['if (this.level > 1) {', 'if (this.level < 0) {'],
    'the causes of an overload are admitted after one second on time': [
      'else if (this.rest > 0)',
      'else if (this.rest < 0)',
    ],
  }),
  ...mutantsOf(
    'src/edge/overload/open-requests.ts',
    suite('integration/edge/overload.slow', 'an address without a credential'),
    {
      'requests without a credential count for no address': 'loopTime.enter(visitorOf(request));',
    },
  ),
  ...mutantsOf(
    'src/edge/overload/shedding.middleware.ts',
    suite('integration/edge/overload.slow', 'an address without a credential'),
    {
      'addresses that cause an overload are not rejected': ['refusalFor(visitorOf(request),', 'refusalFor(undefined,'],
    },
  ),
  ...mutantsOf(
    'src/edge/overload/shedding.middleware.ts',
    suite('integration/edge/overload.slow', 'everything but probes'),
    {
      'probes are rejected': ['isProbe(request.path) ? undefined : ', ''],
    },
  ),
  ...mutantsOf('libs/persistence/fair-pool.ts', 'unit/persistence/fair-pool', {
    'a returned connection still counts as lent': '        this.takeBack(owner);\n',
    'a late connection is not returned to the pool': '(client) => client.release(),',
    'an owner whose wait has timed out stays in the queue': ['if (this.queue.remove(owner, waiting)) reject', 'reject'],
  }),
  ...mutantsOf(
    'src/processes/persistence.module.ts',
    suite('integration/edge/database-faults.slow', 'without free connections'),
    {
      'one organization may use all connections': [
        'const tenantConnectionsOfOne = 8',
        'const tenantConnectionsOfOne = 16',
      ],
    },
  ),
];
