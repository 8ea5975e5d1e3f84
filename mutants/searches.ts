import { type Mutant, mutantsOf, suite } from './mutant.js';

const steps = suite('integration/reservations/search', 'The steps of a search');

const rowsRead = suite('integration/persistence/rows-read.slow');

/** Searches and changes read only what they need, and miss nothing. */
export const searches: Mutant[] = [
  ...mutantsOf('libs/persistence/search-in-steps.ts', steps, {
    'the index is queried although there are no other rows': [' or (select count(*) from newest) < ${newest}', ''],
    'the index is asked for a text that is common in a sample': [') < ${common}', ') < 1_000'],
    'a text that one row of the sample has counts as common': [') < ${common}', ') < 1'],
    'a truncated list of ids from the index counts as complete': [
      'cardinality(ids) <= ${few}',
      'cardinality(ids) <= ${few} + 1',
    ],
    'the index is searched completely although further rows suffice': [
      '(select count(*) from further) = ${rows}',
      'false',
    ],
    'a truncated list of further rows counts as complete': ['as list) <= ${further}', 'as list) >= 0'],
  }),
  ...mutantsOf('libs/persistence/many-rows.ts', rowsRead, {
    'all rows of the organization are read to change some': ' and t.id = any(array(select id from v))',
  }),
  ...mutantsOf('src/features/reservations/overlaps/judged-stays.ts', rowsRead, {
    'all stays of the organization are read to judge some': [
      '`${id} = any(array(select id from near))`',
      '`${id} is not null`',
    ],
  }),
  ...mutantsOf('src/features/reservations/guests.repository.ts', rowsRead, {
    'all stays are read for each guest that a key may see': [
      'case when guests.merged_into is null then guests.id else guests.merged_into end',
      'coalesce(guests.merged_into, guests.id)',
    ],
  }),
  ...mutantsOf('src/features/reservations/reservation-filters.ts', suite('integration/reservations/staying-over'), {
    'other filters leave gaps in the pages of the stays over a night': [
      'value === undefined || decidedWithIt.includes(name)',
      'Boolean(name)',
    ],
    'the stays over a night are sorted only within pages': ["sort === '-createdAt' &&", 'sort &&'],
    'the places of a key are not asked for': [
      '(propertyId ? [propertyId] : propertyIds)',
      '(propertyId ? [propertyId] : undefined)',
    ],
  }),
  ...mutantsOf('src/features/reservations/reservation-filters.ts', rowsRead, {
    'all stays over a night are read for a page': [
      'where.andOfPage(isOver, stayingOn, places);',
      'where.and(isOver, stayingOn, places, null, null);',
    ],
  }),
  ...mutantsOf(
    'src/platform/migrations/1700000000301-newest-stays-over.ts',
    suite('integration/reservations/staying-over'),
    {
      'stays that began in the span before are missed': ['(values (0), (1))', '(values (0))'],
    },
  ),
];
