import { type Mutant, mutantsOf, suite } from './mutant.js';

/** Who is rejected under overload, and who may hold shared resources. */
export const shedding: Mutant[] = [
  ...mutantsOf('src/platform/health/shed-owners.ts', 'unit/health/shed-owners', {
    'small users are refused with the large': [' || ms < total / recent.size', ''],
    'refusing is not widened': ['0.5 ** level', '0.5'],
  }),
  ...mutantsOf('src/edge/overload/shedding.middleware.ts', suite('unit/edge/visitors', 'a probe'), {
    'probes compete with organizations': [' && !isProbe(path)', ''],
  }),
  ...mutantsOf('libs/loop-time/loop-time.ts', 'unit/loop-time/loop-time', {
    'waiting counts as work': ['now - idle - this.activeMs', 'now - this.activeMs'],
    'old work counts for ever': ['use[which] * 2 ** ((use.at - now) / halfLivesMs[which])', 'use[which]'],
    'what a connection brings counts for who was last': ['this.enter(this.servedBy.get(client))', 'undefined'],
  }),
  ...mutantsOf('libs/loop-time/ahead.ts', 'unit/loop-time/ahead', {
    'who has the loop alone is ahead': [' && total - ms >= othersMs', ''],
    'who uses little of the loop is ahead of who uses less': [' && loop.lately(owner) >= leastMs', ''],
    'all are ahead': ['ms >= total / recent.size && ', ''],
  }),
  ...mutantsOf('libs/loop-time/late-loop.ts', 'unit/loop-time/late-loop', {
    'the loop is always late': ['return this.askedAt < this.lateUntil;', 'return true;'],
    'the loop is late for ever': ['now + holdMs', 'Infinity'],
    'a timer continues for ever': 'clearInterval(this.timer);',
  }),
  ...mutantsOf('libs/turns/in-progress.ts', 'unit/edge/request-turns', {
    'what takes long holds up the next': ['if (this.now() - request.at < holdsMs) break;', 'break;'],
  }),
  ...mutantsOf('libs/turns/give-way.ts', 'unit/turns/give-way', {
    'long work gives way while the loop is on time': [' || !lateLoop.isLate', ''],
    'all long work gives way': [' || !ahead.has(owner)', ''],
    'long work gives way to nobody': [' || !requestsInProgress.ofOthers(owner)', ''],
  }),
  ...mutantsOf('libs/turns/turns.ts', 'unit/turns/give-way', {
    'no long work gives way': 'await giveWay(owner);',
  }),
  ...mutantsOf('src/edge/overload/request-turns.ts', 'unit/edge/request-turns', {
    'turns are taken while the loop is on time': ['!this.late.isLate || ', ''],
    'all take turns': [' || !this.ahead.has(owner)', ''],
    'any number is in progress': 'if (this.inProgress.of(owner) > 0) return false;',
    'no request of others goes first': [' || !this.inProgress.ofOthers(owner)', ' || true'],
    'requests of others go first for ever': ['heldMs >= yieldsMs || ', ''],
    'any number of queries is in the database': ['this.connections(owner) >= mostConnections', 'false'],
    'queries hold up the next request for ever': [' && heldMs < connectionWaitMs', ''],
    'those who wait are passed': ['requests.waiting.size > 0 || ', ''],
    'requests wait for ever':
      'for (const request of waiting) if (this.now() - request.since >= waitsMs) leave(waiting, request);',
    'who has gone has a turn': "response.once('close', () => leave(waiting, request));",
    'who had a turn has the next': ['    this.owners.delete(owner);\n    this.owners.set(owner, requests);\n', ''],
    'those who wait are forgotten': ['requests.waiting.size === 0 && this.inProgress', 'this.inProgress'],
    'nobody is forgotten':
      'if (requests.waiting.size === 0 && this.inProgress.of(owner) === 0) this.owners.delete(owner);',
    'those who wait continue in one turn of the loop': ['setImmediate(request.end, mayGoOn)', 'request.end(mayGoOn)'],
  }),
  ...mutantsOf('src/edge/overload/shedding.guard.ts', suite('integration/edge/overload', 'one at a time'), {
    'requests take no turns': ['turn === true || this.wait(caller.orgId, turn)', 'true'],
  }),
  // Separate processes run from the build.
  ...mutantsOf('dist/src/processes/ops/main.program.js', suite('integration/ops/command-line', 'may end with 1'), {
    'to verify the trail comes before the service': 'setPriority(constants.priority.PRIORITY_LOW)',
  }),
  ...mutantsOf(
    'src/edge/overload/shedding.guard.ts',
    suite('integration/edge/overload', 'an organization that blocks the event loop is rejected'),
    {
      'whoever causes an overload is not refused': 'if (refusal) throw refusal;',
      "requests are nobody's": 'loopTime.enter(caller.orgId);',
    },
  ),
  ...mutantsOf('libs/loop-time/overload-delay.ts', 'unit/loop-time/overload-delay', {
    'what the loop waits for a core is an overload': ['Math.min(lateMs, computedMs)', 'lateMs'],
    'a loop that is late most of the time is not overloaded': [' || this.beyondMs > mostOfTime * this.totalMs', ''],
    'what was late long ago counts': '[this.longestComputedMs, this.totalMs, this.beyondMs] = [0, 0, 0];',
  }),
  ...mutantsOf(
    'src/platform/health/overload.ts',
    suite('integration/edge/overload', 'an organization that blocks the event loop is rejected'),
    {
      'all are refused at the first sign of overload': ['Math.min(this.level + 1, allRefused)', 'allRefused'],
    },
  ),
  ...mutantsOf('src/platform/health/overload.ts', 'unit/health/overload', {
    'one late second is an overload': ['if (isLate && this.wasLate)', 'if (isLate)'],
    'all stay rejected while the loop is on time': ['if (this.level > 1) {', 'if (this.level < 0) {'],
    'the causes are accepted again at the first better second': ['else if (this.rest > 0)', 'else if (this.rest < 0)'],
  }),
  ...mutantsOf(
    'src/edge/overload/open-requests.ts',
    suite('integration/edge/overload', 'an address without a credential'),
    {
      'what a visitor asks for is nobody’s': 'loopTime.enter(visitorOf(request));',
    },
  ),
  ...mutantsOf(
    'src/edge/overload/shedding.middleware.ts',
    suite('integration/edge/overload', 'an address without a credential'),
    {
      'addresses are not refused for what they cause': ['refusalFor(visitorOf(request),', 'refusalFor(undefined,'],
    },
  ),
  ...mutantsOf(
    'src/edge/overload/shedding.middleware.ts',
    suite('integration/edge/overload', 'everything but probes'),
    {
      'probes are refused': ['isProbe(request.path) ? undefined : ', ''],
    },
  ),
  ...mutantsOf('libs/persistence/fair-pool.ts', 'unit/persistence/fair-pool', {
    'a connection that is given back stays lent': '        this.takeBack(owner);\n',
    'a connection that comes late is lost': '(client) => client.release(),',
    'who has waited in vain waits on': ['if (this.queue.remove(owner, waiting)) reject', 'reject'],
  }),
  ...mutantsOf(
    'src/processes/persistence.module.ts',
    suite('integration/edge/database-faults', 'without free connections'),
    {
      'an organization may hold all connections': [
        'const tenantConnectionsOfOne = 8',
        'const tenantConnectionsOfOne = 16',
      ],
    },
  ),
];
