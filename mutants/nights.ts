import { type Edit, type Mutant, mutantsOf, suite } from './mutant.js';

const kept = (only: string) => suite('integration/reservations/occupancy', only);
const states = (only: string) => suite('integration/reservations/states', only);
const assigned = (only: string) => suite('integration/reservations/assignments', only);
const followed = (only: string) => suite('integration/organizations/times-changes', only);

/** Each night has two guards: only without both of them is it sold twice. */
const unlocked: Edit = {
  file: 'src/features/reservations/stay-places.ts',
  find: 'return this.properties.lock(caller, propertyIds);',
  replace: 'return Promise.resolve();',
};
const unconstrained: Edit = {
  file: 'src/platform/migrations/1700000000110-rooms.ts',
  find: 'with &&) where (not exempt);',
  replace: 'with &&) where (false);',
};

const model = suite('integration/reservations/model', 'one client');

/** Which nights are taken by whom, and which states of a stay follow each other. */
export const nightMutants: Mutant[] = [
  ...mutantsOf('src/features/reservations/stay-places.ts', model, {
    'a place is booked twice': 'if (reservations.length > 0) return { reservations };',
    'a type is sold beyond its units': [
      'return nights.length > 0 ? { unitTypeId, nights } : undefined;',
      'return undefined;',
    ],
  }),
  ...mutantsOf('src/features/reservations/stay-places.ts', assigned('takes its nights out'), {
    'a blocked unit is booked': 'if (block) return { block };',
  }),
  ...mutantsOf('src/tenancy/units/unit-rules.service.ts', kept('archived or get another type'), {
    'a type loses a unit that its stays need': 'if (nights.length > 0) throw unitTypeIsFull(unitTypeId, nights);',
  }),
  ...mutantsOf('src/features/reservations/stay-states.service.ts', states('check-in'), {
    'guests check in before their day': 'if (!early) await this.refuseBeforeArrival(caller, stay);',
    'guests check in without a unit': "if (occupiesOf(stay) === 'unit_type') throw unitNotAssigned();",
  }),
  ...mutantsOf('src/features/reservations/stay-states.service.ts', states('between the arrival and now'), {
    'guests leave before they come': 'if (departedAt !== undefined && !isPossible) throw departedAtImpossible();',
  }),
  ...mutantsOf('src/features/reservations/stay-moves.service.ts', states('is refused into a room'), {
    'guests move before they come': ' || !isInHouse',
    'guests move into a past night': ' || from < today',
  }),
  ...mutantsOf('src/features/reservations/assignments/assignments.service.ts', assigned('only with force'), {
    'a unit of another type is assigned by accident':
      'if (!force && place.unitTypeId !== sold) throw unitOfAnotherType(place.unitTypeId, sold);',
  }),
  ...mutantsOf('src/features/reservations/blocks/blocked-nights.service.ts', assigned('a block'), {
    'a block takes nights from stays': [
      'if (!force && stays.length > 0) throw placeIsTaken(',
      "if (String(force) === 'never') throw placeIsTaken(",
    ],
    'a block takes a unit that its type needs': [
      'if (full.length > 0) throw unitTypeIsFull(',
      'if (full.length < 0) throw unitTypeIsFull(',
    ],
  }),
  ...mutantsOf('src/tenancy/properties/times-changes.service.ts', followed('in the name of'), {
    'stays follow their property in nobody’s name': [
      'act ? await this.audit.during(act, work) : await work()',
      'await work()',
    ],
  }),
  ...mutantsOf('src/tenancy/stays/moved-stays.repository.ts', followed('old or its new times'), {
    'a stay has its new times in its old time zone': 'timezone = $5, ',
  }),
  ...mutantsOf('src/features/reservations/moved-stays.service.ts', followed('answers within a second'), {
    'a stay that follows its property is told twice': [
      'await this.events.recordAll(caller, changed, () => reservationUpdated);',
      'for (const _ of [1, 2]) await this.events.recordAll(caller, changed, () => reservationUpdated);',
    ],
  }),
  {
    name: 'a unit is assigned while another stay moves into it',
    edits: [unlocked, unconstrained],
    suite: assigned('against a move'),
  },
  {
    name: 'nights are booked while a check-out from them is undone',
    edits: [unlocked, unconstrained],
    suite: states('between an undo'),
  },
  ...mutantsOf('src/features/tasks/task-planner.ts', states('as a person left it'), {
    'work that has started begins again with its stay': '.filter(({ calledOff }) => calledOff)',
  }),
];
