import type { Search } from './where.js';

/**
 * How many rows a search reads before it uses the index: enough for a page of a word that one in twenty rows contains.
 */
const newestRows = 500;

/**
 * A search of a list. Statistics do not show how common a text is within one organization. Common texts occur in the
 * first rows of the list, and the index finds rare ones quickly, but each way is slow for the other kind. So this reads
 * the first rows, and uses the index only if they do not fill the page and there are more.
 */
export function inTwoSteps(
  table: string,
  list: string,
  { newest, indexed }: Search,
  order: string,
  rows: number,
): string {
  return `
    with newest as materialized (${list} ${order} limit ${newestRows}),
      holding as materialized (select * from newest as ${table} where ${newest} ${order} limit ${rows}),
      step as materialized (
        select (select count(*) from holding) < ${rows} and (select count(*) from newest) = ${newestRows} as goes_on)
    select * from (
      select * from holding where not (select goes_on from step)
      union all
      (${list} and ${indexed} and (select goes_on from step) ${order} limit ${rows})) as ${table} ${order}`;
}
