/**
 * What `id` is of the stays of a guest, who booked them or is a companion. Looked up first and in the order of its index:
 * of an organization without statistics, PostgreSQL may read all stays once for each of them.
 */
export const staysOf = (guest: string, org = '$1'): string =>
  `any(array(
     (select id from reservations s where s.org_id = ${org} and s.guest_id = ${guest} order by s.guest_id, s.id)
     union all
     select reservation_id from reservation_companions c where c.org_id = ${org} and c.guest_id = ${guest}))`;
