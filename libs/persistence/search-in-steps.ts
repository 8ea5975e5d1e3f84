import type { Search } from './where.js';

/**
 * How many rows of a list a search reads first: enough for a page of a word that one in five rows contains. At how many places
 * of the table it looks at some rows, and how many of these have a common text: of 100, two if one in 50 rows has it. How many ids it takes from the index before it tries
 * the list again. And how many rows it reads then, which takes 20 ms.
 */
const usual = { newest: 100, places: 10, atEach: 10, common: 2, few: 2_000, further: 20_000 };

/**
 * A search of a list. Statistics do not show how common a text is within one organization. Common texts occur in the
 * first rows of the list, and the index finds rare ones quickly, but each way is slow for the other kind. So this reads
 * the first rows, and asks the index only if they do not fill the page and there are more. The index finds all rows with a text
 * before it returns the first, so it is not asked for one that is common in a sample of the organization's rows. If it has many rows
 * nevertheless, most of its work is still to come: to read and sort them. Then this reads further in the list, and lets the
 * index do its work only if that was not enough either. Each step reads from the beginning, and so its rows are the page.
 *
 * @param list with the organization as $1.
 */
export function inSteps(
  table: string,
  list: string,
  { inRow, column, ids }: Search,
  order: string,
  rows: number,
  { newest, places, atEach, common, few, further } = usual,
): string {
  const first = (many: number): string => `(${list} ${order} limit ${many})`;
  const of = (found: string, step: string): string =>
    `(${list} and ${column} = any(${found}) and (select taken from step) = '${step}' ${order} limit ${rows})`;
  return `
    with newest as materialized ${first(newest)},
      holding as materialized (select * from newest as ${table} where ${inRow} ${order} limit ${rows}),
      page as materialized (
        select (select count(*) from holding) = ${rows} or (select count(*) from newest) < ${newest} as is_known),
      found as materialized (
        select case when is_known then null
                    when (select count(distinct id) from ${sample(table, places, atEach)} as ${table} where ${inRow}) < ${common}
                    then array(select ${ids} limit ${few} + 1) end as ids
          from page),
      further as materialized (
        select * from ${first(further)} as ${table}
         where ${inRow} and not (select is_known from page) and coalesce(cardinality((select ids from found)) > ${few}, true)
         ${order} limit ${rows}),
      step as materialized (
        select case when is_known then 'newest'
                    when cardinality(ids) <= ${few} then 'few'
                    when (select count(*) from further) = ${rows}
                      or (select count(*) from ${first(further + 1)} as list) <= ${further} then 'further'
                    else 'all' end as taken
          from page, found)
    select * from (
      select * from holding where (select taken from step) = 'newest'
      union all
      ${of('(select ids from found)::uuid[]', 'few')}
      union all
      select * from further where (select taken from step) = 'further'
      union all
      ${of(`array(select ${ids})`, 'all')}) as ${table} ${order}`;
}

/** Some of the organization's rows after each of several moments, which divide the time since its first row evenly: ids begin with their time. */
function sample(table: string, places: number, atEach: number): string {
  const end = (direction: string): string => `
    ('x' || left(replace((select id from ${table} where org_id = $1 order by id ${direction} limit 1)::text, '-', ''), 12))::bit(48)::bigint`;
  return `(
    select sampled.* from (select ${end('asc')} as first, ${end('desc')} as last) ends
     cross join generate_series(0, ${places} - 1) place
     cross join lateral (
       select * from ${table}
        where org_id = $1 and id >= rpad(lpad(to_hex(first + (last - first) * place / ${places}), 12, '0'), 32, '0')::uuid
        order by id limit ${atEach}) sampled)`;
}
