import { type Mutant, mutantsOf, suite } from './mutant.js';

const race = (only: string) => suite('integration/edge/races', only);
const undone = (only: string) => suite('integration/events/undo-locks', only);
const inBulk = (only: string) => suite('integration/edge/lock-order', only);

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
  ...mutantsOf('src/tenancy/followers/record-locks.service.ts', 'integration/events/undo-locks', {
    'an undo locks what it changes one by one': [
      'for (const kind of inOrder) await this.lockKind(',
      'for (const kind of inOrder.slice(6)) await this.lockKind(',
    ],
    'an undo locks records in any order': ['order by id for no key update', 'order by id desc for no key update'],
  }),
  ...mutantsOf('src/tenancy/followers/record-locks.service.ts', undone('all properties'), {
    'an undo locks each property with its change': "  property: 'properties',\n",
  }),
  ...mutantsOf('src/tenancy/followers/record-locks.service.ts', undone('before the tasks'), {
    'an undo locks tasks before their rooms': '...places.units',
  }),
  ...mutantsOf('src/tenancy/followers/record-locks.service.ts', undone('a connection'), {
    'an undo locks a connection after its stays': "  connection: 'connections',\n",
  }),
  ...mutantsOf('src/outside/by-reference/places/place-savers.ts', inBulk('properties'), {
    'a bulk save locks properties in the order of its items':
      'prepare: (caller, _contents, _names, property) => this.locks.lock(caller, { property }),',
  }),
  ...mutantsOf('src/outside/by-reference/places/place-savers.ts', inBulk('unit types'), {
    'a bulk save locks unit types in the order of its items':
      'prepare: (caller, _contents, _names, unit_type) => this.locks.lock(caller, { unit_type }),',
  }),
  ...mutantsOf('src/outside/by-reference/places/place-savers.ts', inBulk('units'), {
    'a bulk save locks units in the order of its items': [
      'flatMap((content) => names.propertyOf(content) ?? []), unit }',
      'flatMap((content) => names.propertyOf(content) ?? []) }',
    ],
  }),
  ...mutantsOf('src/tenancy/followers/record-locks.service.ts', inBulk('of units before'), {
    'a bulk save locks units before their property': '...places.properties',
  }),
  ...mutantsOf('src/features/tasks/tasks.service.ts', suite('integration/edge/lock-order', 'gets a unit'), {
    'a task is locked before the unit that it gets':
      'if (input.unitId) await this.rules.keepUnit(caller, input.unitId);',
  }),
];
