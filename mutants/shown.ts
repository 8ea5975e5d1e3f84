import { type Mutant, mutantsOf, suite } from './mutant.js';

const shown = suite('integration/edge/shown-records');
const explained = (only: string) => suite('integration/reservations/explanations.slow', only);

/**
 * Records that are included with others are limited to what the caller may read, and the alternatives to taken nights
 * succeed.
 */
export const shownMutants: Mutant[] = [
  ...mutantsOf(
    'src/features/reservations/guests.repository.ts',
    suite('integration/reservations/guests.slow', 'an erased guest is listed'),
    {
      'guests erased at other properties are listed':
        'if (limits) where.and(' +
        '`' +
        '(property_ids && ?::uuid[] or id in (${guestsAt}))' +
        '`' +
        ', limits, limits);',
    },
  ),
  ...mutantsOf('src/edge/answers/shown-records.ts', shown, {
    'records are included without the permission to read them': 'may(caller, source.scope) && ',
    'more records are included than allowed': ['if (asked.length > mostInclusions)', 'if (asked.length > 99)'],
  }),
  ...mutantsOf('src/features/reservations/explanations/explanations.service.ts', explained('of a type that is full'), {
    'an alternative is offered without being checked': ['if (await fits(change))', 'await fits(change);'],
  }),
  ...mutantsOf('src/features/reservations/explanations/explanations.service.ts', explained('in the past'), {
    'past nights are offered': 'dates.checkInDate < today || ',
  }),
];
