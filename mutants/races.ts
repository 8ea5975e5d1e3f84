import { type Mutant, mutantsOf, suite } from './mutant.js';

const race = (only: string) => suite('integration/edge/races', only);

/** What keeps a row unchanged after it was read, and the order in which rows are locked. */
export const races: Mutant[] = [
  ...mutantsOf('src/platform/events/event-statements.ts', race('skips a webhook'), {
    'an event goes to an endpoint that is being deleted': '\n       for key share of w',
  }),
  ...mutantsOf('src/outside/webhooks/webhook-endpoints.service.ts', race('two webhook endpoints'), {
    'endpoints are deleted in any order': 'await this.endpoints.lockAll(caller.orgId);',
  }),
  ...mutantsOf('src/tenancy/roles/roles.service.ts', race('a role'), {
    'a role is assigned while it is being deleted': ['this.roles.findLocked(', 'this.roles.find('],
  }),
  ...mutantsOf('src/features/reservations/guests.repository.ts', race('a guest'), {
    'a stay is created for a guest who is being erased': ["'order by id for key share'", "''"],
  }),
  ...mutantsOf('src/features/reservations/guests.repository.ts', race('erased after'), {
    'guests are locked before their stays': [
      'async lockStays(orgId: string, guestIds: readonly string[]): Promise<void> {',
      'async lockStays(orgId: string, guestIds: readonly string[]): Promise<void> {\n    if (orgId) return;',
    ],
  }),
  ...mutantsOf('src/features/reservations/imports/imports.service.ts', race('sync waits'), {
    'a sync does not wait for bookings': [
      'places.map(({ propertyId }) => propertyId),\n    );\n    const locked',
      '[],\n    );\n    const locked',
    ],
  }),
  ...mutantsOf('src/features/workflows/workflows.service.ts', race('does not run'), {
    'a workflow is run while it is being paused': ["input.workflowId, 'for share'", 'input.workflowId'],
  }),
  ...mutantsOf('src/features/workflows/triggers/event-triggers.service.ts', race('by an event'), {
    'an event runs a workflow that is being paused': 'if (active.has(start.workflow.id)) ',
  }),
  ...mutantsOf('src/features/workflows/triggers/stay-triggers.service.ts', race('by a stay'), {
    'a stay runs a workflow that is being paused':
      'if (!(await this.workflows.lock(orgId, [workflowId])).has(workflowId)) return;',
  }),
  ...mutantsOf('src/outside/connections/connections.service.ts', race('gets no connection'), {
    'a connection is created at a place that is being archived':
      'if (checked.propertyId) await this.places.keep(caller, checked.propertyId);',
  }),
  ...mutantsOf('src/tenancy/units/units.repository.ts', race('a unit'), {
    'a stay is created in a unit that is being archived': ["'order by id for share'", "''"],
  }),
  ...mutantsOf('src/tenancy/properties/properties.repository.ts', race('gets no connection'), {
    'a place changes after it was read': ["'order by id for no key update'", "''"],
  }),
  ...mutantsOf('src/features/reservations/stay-places.ts', race('two last rooms'), {
    'bookings of the last rooms do not wait for each other': [
      'return this.properties.lock(caller, propertyIds);',
      'return Promise.resolve();',
    ],
  }),
  ...mutantsOf('src/tenancy/units/units.service.ts', race('booked or archived'), {
    'a unit is archived while it is being booked': [
      'async archive(caller: Caller, { propertyId, unitId }: ThisUnit): Promise<Unit> {\n    await this.properties.lock(caller, [propertyId]);',
      'async archive(caller: Caller, { propertyId, unitId }: ThisUnit): Promise<Unit> {',
    ],
  }),
  ...mutantsOf('src/tenancy/followers/followers.ts', race('order of its stays'), {
    'the records that follow stays are locked stay by stay':
      'if (changes.length > 1) for (const follower of this.list.stays) await follower.lockFor?.(caller, changes);',
  }),
];
