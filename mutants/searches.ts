import { type Mutant, mutantsOf, suite } from './mutant.js';

const steps = suite('integration/reservations/search', 'The steps of a search');

/** A search reads only what it needs, and misses nothing. */
export const searches: Mutant[] = mutantsOf('libs/persistence/search-in-steps.ts', steps, {
  'the index is asked where there are no other rows': [
    ' and (select count(*) from newest) = ${newest}',
    ' and (select count(*) from newest) >= 0',
  ],
  'many ids of the index are taken for all of them': ['cardinality(ids) <= ${few}', 'cardinality(ids) <= ${few} + 1'],
  'the index does all of its work where further rows suffice': ['(select count(*) from further) = ${rows}', 'false'],
  'further rows are taken for all of them': ['as list) <= ${further}', 'as list) >= 0'],
});
