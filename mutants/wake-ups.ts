import { type Mutant, mutantsOf, suite } from './mutant.js';

const jobs = (only: string) => suite('integration/jobs/jobs.slow', only);
const line = (only: string) => suite('integration/jobs/wake-ups', only);
const statements = (only: string) => suite('integration/jobs/statements.slow', only);

/** What wakes background work, and how rarely it queries the database otherwise. */
export const wakeUps: Mutant[] = [
  ...mutantsOf('libs/jobs/jobs.ts', jobs('what a commit wakes'), {
    'a commit does not wake background work': '    this.wakeUps.listen(work.name, () => timer.wake());\n',
    'every completed job leads to another query': ['if (mayHaveMore && work.lane', 'if (work.lane'],
  }),
  ...mutantsOf('libs/jobs/jobs.ts', jobs('due in a moment'), {
    'work that is due in a moment waits for the next query': [
      'else if (inMs < this.lookEveryMs)',
      'else if (inMs < 0)',
    ],
  }),
  ...mutantsOf('libs/jobs/jobs.ts', jobs('becomes due while'), {
    'a query during a job in progress is not repeated': [
      'taken.mayHaveMore = taken.running > 0;',
      'taken.mayHaveMore = false;',
    ],
  }),
  ...mutantsOf('libs/jobs/jobs.ts', jobs('a process that died is'), {
    'jobs of a process that died stay in the queue': 'else this.lanes.get(work.lane.name)?.recover();',
  }),
  ...mutantsOf('libs/wake-ups/notify-line.ts', line('received here immediately'), {
    'a process hears its own notifications':
      '        if (processId === (client as unknown as { processID: number }).processID) return;\n',
  }),
  ...mutantsOf('libs/wake-ups/notify-line.ts', line('nobody answers'), {
    'a process sends notifications that nobody receives': ['!this.isHeard()', 'false'],
    'a process does not answer another': '    if (topics.includes(question)) this.send(answer);\n',
    'a process that has ended counts as listening': ['now - this.heardAt > trustedMs', 'false'],
  }),
  ...mutantsOf('libs/wake-ups/notify-line.ts', line('more topics than fit'), {
    'a notification exceeds the limit of PostgreSQL': ['last.length + topic.length < longestPayload', 'true'],
  }),
  ...mutantsOf('libs/wake-ups/notify-line.ts', line('when a lost connection is back'), {
    'a lost connection is not replaced': '        this.connecting = this.connect(onNotified, true);\n',
    'notifications during a lost connection are missed': '        if (isLate) onNotified();\n',
  }),
  ...mutantsOf('src/platform/events/event-records.ts', statements('concerns no background work'), {
    'an event wakes work that it does not concern': ['if (concerned[work]) this', 'this'],
  }),
  ...mutantsOf('libs/jobs/lane-queue.ts', statements('idle'), {
    'idle lanes query for jobs of processes that died': '      skipStalledCheck: true,\n',
  }),
];
