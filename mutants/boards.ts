import { type Mutant, mutantsOf, suite } from './mutant.js';

const boards = (only: string) => suite('integration/boards/boards', only);

/** What boards show, and to whom. */
export const boardMutants: Mutant[] = [
  ...mutantsOf('src/features/boards/boards.service.ts', boards('limited key'), {
    'a day is shown beyond the limit': [': caller.propertyIds;', ': null;'],
    'a day is shown of a hidden property': 'if (propertyId) await this.properties.get(caller, propertyId);',
  }),
  ...mutantsOf('src/features/boards/board.repository.ts', boards('open work and readiness'), {
    'boards show work to those who may not read it': ['where $6 and ', 'where $6 is not null and '],
  }),
  ...mutantsOf('src/features/boards/board.repository.ts', boards('by floor and name'), {
    'a board looks two weeks ahead': [
      '+ 14 and s.from_date > ${date}\n    order',
      '+ 99 and s.from_date > ${date}\n    order',
    ],
  }),
  ...mutantsOf('src/features/boards/here.ts', boards('limited key'), {
    'a board is shown beyond the limit': ' and ($3::uuid[] is null or id = any($3))',
  }),
  ...mutantsOf('src/features/boards/room-board.ts', boards('by floor and name'), {
    'a no-show sleeps in the room': ".filter(({ status }) => status !== 'no_show')",
    'who has left is still to leave': [" && leaving.status !== 'checked_out'", ''],
  }),
  ...mutantsOf('src/features/boards/day.repository.ts', boards('page by page'), {
    'who left early leaves again': [' and (r.departed_on is null or r.departed_on >= $2::date)', ''],
    'a page begins at the beginning': ['or key > $4', 'or key <> $4'],
  }),
  ...mutantsOf('src/console/pages/today.tsx', suite('integration/console/console', 'can be checked in and out'), {
    'guests who have arrived can check in': [" && stayStatus === 'not_arrived'", ''],
    'guests check in without a room': ['hasCome && hasPlace', 'hasCome'],
    'guests check in on a day of the future': ['hasCome && hasPlace', 'hasPlace'],
    'guests who have not arrived can check out': ["({ stayStatus }) => stayStatus === 'checked_in'", '() => true'],
  }),
];
