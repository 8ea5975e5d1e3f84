/**
 * The keys that still work of those that were created by somebody or through something, and of those that were created
 * with them, however far down. A key that ended long ago counts on the way down, since what was created with
 * it may still work.
 *
 * @param first which keys `k` it begins with.
 * @param now the placeholder of the time, such as `$3`.
 */
export const keysMade = (first: string, now: string): string => `
  with recursive made as (
    select k.org_id, k.id from api_keys k where ${first}
    union
    select k.org_id, k.id from api_keys k join made on k.org_id = made.org_id and k.made_with = made.id)
  select k.org_id, k.id from api_keys k
   where (k.org_id, k.id) in (select org_id, id from made)
     and k.revoked_at is null and (k.expires_at is null or k.expires_at > ${now})
   order by k.id`;

/** The same, locked. */
export const workingKeysMade = (first: string, now: string): string => `${keysMade(first, now)} for no key update of k`;
