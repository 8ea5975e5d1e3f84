/** Ids of the stays of a guest, who booked them or is a companion. */
export const staysOf = (guest: string, org = '$1'): string =>
  `select id from reservations s where s.org_id = ${org} and s.guest_id = ${guest}
   union all
   select reservation_id from reservation_companions c where c.org_id = ${org} and c.guest_id = ${guest}`;
