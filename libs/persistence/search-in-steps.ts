import type { Search } from './where.js';

/**
 * How many rows of a list a search reads first: enough for a page of a word that one in twenty rows contains. How many ids it
 * takes from the index before it tries the list again. And how many rows it reads then, which takes 20 ms.
 */
const usual = { newest: 500, few: 2_000, further: 20_000 };

/**
 * A search of a list. Statistics do not show how common a text is within one organization. Common texts occur in the
 * first rows of the list, and the index finds rare ones quickly, but each way is slow for the other kind. So this reads
 * the first rows, and asks the index only if they do not fill the page and there are more. If the index has many rows, most of
 * its work is still to come: to read and sort them. Then this reads further in the list, and lets the index do its work only if
 * that was not enough either. Each step reads from the beginning, and so its rows are the page.
 */
export function inSteps(
  table: string,
  list: string,
  { inRow, column, ids }: Search,
  order: string,
  rows: number,
  { newest, few, further } = usual,
): string {
  const first = (many: number): string => `(${list} ${order} limit ${many})`;
  const of = (found: string, step: string): string =>
    `(${list} and ${column} = any(${found}) and (select taken from step) = '${step}' ${order} limit ${rows})`;
  return `
    with newest as materialized ${first(newest)},
      holding as materialized (select * from newest as ${table} where ${inRow} ${order} limit ${rows}),
      found as materialized (
        select case when (select count(*) from holding) < ${rows} and (select count(*) from newest) = ${newest}
                    then array(select ${ids} limit ${few} + 1) end as ids),
      further as materialized (
        select * from ${first(further)} as ${table}
         where ${inRow} and cardinality((select ids from found)) > ${few} ${order} limit ${rows}),
      step as materialized (
        select case when ids is null then 'newest'
                    when cardinality(ids) <= ${few} then 'few'
                    when (select count(*) from further) = ${rows}
                      or (select count(*) from ${first(further + 1)} as list) <= ${further} then 'further'
                    else 'all' end as taken
          from found)
    select * from (
      select * from holding where (select taken from step) = 'newest'
      union all
      ${of('(select ids from found)::uuid[]', 'few')}
      union all
      select * from further where (select taken from step) = 'further'
      union all
      ${of(`array(select ${ids})`, 'all')}) as ${table} ${order}`;
}
