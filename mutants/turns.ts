import { type Mutant, mutantsOf, suite } from './mutant.js';

/** What makes organizations take turns in lanes of jobs. */
export const turns: Mutant[] = [
  ...mutantsOf('libs/jobs/places.ts', 'unit/jobs/places', {
    'one organization may fill a lane': ['this.of(owner) < this.all - this.taken', 'this.taken < this.all'],
    'released places stay taken': ['    this.taken -= 1;\n', ''],
  }),
  ...mutantsOf('libs/jobs/lane-queue.ts', suite('integration/jobs/jobs.slow', 'another process queued'), {
    'jobs queued by another process exceed the limit': '    if (!this.hasPlace(job)) return false;\n',
  }),
  ...mutantsOf(
    'libs/jobs/lane-queue.ts',
    suite('integration/events/webhook-dispatch.slow', 'many endpoints of another'),
    {
      'taken places are not counted': '    this.places.take(job.orgId);\n',
    },
  ),
  ...mutantsOf('libs/jobs/due-in-turns.ts', suite('integration/jobs/jobs.slow', 'in turn'), {
    'due rows come oldest first, not in turn': ['row_number() over (partition by d.org_id order by d.since), ', ''],
    'all due rows of an organization are read': [' limit ${ofEach}', ''],
  }),
];
