interface Due {
  table: string;
  /** The column that says since when a row is due; null where it never is. Needs an index of `org_id` and it. */
  since: string;
  /** What else must hold of a row that is due. */
  where?: string;
}

/** Far more than one process does at a time for one organization. */
const ofEach = 50;
const atOnce = 200;

/** The organizations with such rows, found one by one along the index, so however many rows they have. */
const withOwners = ({ table, since }: Due): string => `
  with recursive owners as (
    (select org_id from ${table} where ${since} is not null order by org_id limit 1)
    union all
    select following.org_id from owners o cross join lateral (
      select org_id from ${table} where ${since} is not null and org_id > o.org_id order by org_id limit 1) following)`;

/**
 * The rows that are due at $1, organization by organization in turn: first the oldest of each, then the second of each,
 * and so on. However many rows of one organization are due, only a few of them are read.
 */
export const dueInTurns = ({ table, since, where = 'true' }: Due): string => `
  ${withOwners({ table, since })}
  select d.org_id, d.id
    from owners o cross join lateral (
      select org_id, id, ${since} as since from ${table}
       where org_id = o.org_id and ${since} <= $1 and ${where}
       order by ${since} limit ${ofEach}) d
   order by row_number() over (partition by d.org_id order by d.since), d.since limit ${atOnce}`;

/** When the first of those rows is due, as an expression: `Work.soonest`. */
export const soonestOf = ({ table, since, where = 'true' }: Due): string => `(
  ${withOwners({ table, since })}
  select min(d.since)
    from owners o cross join lateral (
      select ${since} as since from ${table}
       where org_id = o.org_id and ${since} is not null and ${where}
       order by ${since} limit 1) d)`;
