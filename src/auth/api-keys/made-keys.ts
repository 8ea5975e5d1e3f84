/**
 * The working keys that somebody or something created, and all keys that were created with those, at any depth. A key
 * that ended long ago is followed too, because keys created with it may still work.
 *
 * @param first the condition on `k` that selects the first keys.
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
