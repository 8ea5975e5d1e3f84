import { dueInTurns, soonestOf } from './due-in-turns.js';

/** How the rows of a table are claimed. Conditions and values are SQL over its columns. */
export interface ClaimColumns {
  /** The name of the work that is done on its rows. */
  work: string;
  table: string;
  /** What the ids of its rows begin with. */
  prefix: string;
  /** Since when a row is due; null if it is not due. Left out if other rows decide that. */
  due?: string;
  /** Until when a row is claimed. Left out where a claim puts off `due`: a row that was left is due again then. */
  until?: string;
  /** A number that rises with every claim. Left out, the end of the lease tells one claim from another. */
  fence?: string;
  /** What must hold of a row for it to be claimed. */
  where?: string;
  /** What must hold of a row for a claim to count: it ends early where the row was cancelled, for example. */
  while?: string;
  /** What a claim writes besides; `$3` is now. */
  sets?: string;
  /** Longer than the work takes, or than two renewals take: a lease that is over belongs to a process that is gone. */
  leaseMs: number;
  /** For work that takes longer than a lease. It needs a `fence`. */
  renewal?: {
    everyMs: number;
    /** Until when a claim is renewed, where it is not always for a whole lease, whose end is `$4`. */
    until?: string;
  };
}

/** The statements by which the rows of one table are claimed. */
export function claimStatements({ table, due, until, fence, where = 'true', sets, renewal, ...rest }: ClaimColumns) {
  const lease = (until ?? due) as string;
  const isFree = until ? `(${until} is null or ${until} <= $3)` : 'true';
  const isDue = due ? `${due} <= $3` : 'true';
  const written = [`${lease} = $4`, ...(fence ? [`${fence} = ${fence} + 1`] : []), ...(sets ? [sets] : [])].join(', ');
  const counts = `${fence ?? lease} = $3 and ${rest.while ?? 'true'}`;
  const take = `update ${table} set ${written} where org_id = $1 and id = $2 and ${isFree} and ${where}`;
  const found = due && { table, since: due, where: `${isFree.replaceAll('$3', '$1')} and ${where}` };
  return {
    due: found && dueInTurns(found),
    soonest: found && soonestOf(found),
    take: `${take} and ${isDue} returning ${fence ?? lease} as fence`,
    takeEarly: until && `${take} returning ${fence ?? lease} as fence`,
    release: `update ${table} set ${lease} = $4 where org_id = $1 and id = $2 and ${counts}`,
    /** Of claims of all organizations; it says which of them count still, by their places among those given. */
    renew: `
      update ${table} claimed set ${lease} = ${renewal?.until ?? '$4'}
        from unnest($1::uuid[], $2::uuid[], $3::bigint[]) with ordinality as held (org_id, id, fence, place)
       where claimed.org_id = held.org_id and claimed.id = held.id and claimed.${fence} = held.fence
         and ${rest.while ?? 'true'}
      returning held.place`,
  };
}
