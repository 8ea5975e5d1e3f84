import { type Mutant, mutantsOf, suite } from './mutant.js';

/** What makes organizations take turns in lanes of jobs. */
export const turns: Mutant[] = [
  ...mutantsOf('libs/jobs/places.ts', 'unit/jobs/places', {
    'an organization may fill a lane': ['this.of(owner) < this.all - this.taken', 'this.taken < this.all'],
    'places that are left stay taken': ['    this.taken -= 1;\n', ''],
  }),
  ...mutantsOf('libs/jobs/lane-queue.ts', suite('integration/jobs/jobs', 'another process queued'), {
    'what another process handed in passes the bound': '    if (!this.hasPlace(job)) return false;\n',
  }),
  ...mutantsOf('libs/jobs/lane-queue.ts', suite('integration/events/webhook-dispatch', 'many endpoints of another'), {
    'a place is not noted as taken': '    this.places.take(job.orgId);\n',
  }),
  ...mutantsOf('libs/jobs/due-in-turns.ts', suite('integration/jobs/jobs', 'in turn'), {
    'rows that are due come oldest first': ['row_number() over (partition by d.org_id order by d.since), ', ''],
    'all due rows of an organization are looked at': [' limit ${ofEach}', ''],
  }),
];
