import { Injectable } from '@nestjs/common';
import { type Changed, Cursors, Table, TenantDatabase, uuidIn } from '#persistence';
import { Reservation } from './reservation.entity.js';
import { staysOf } from './search.js';

/** The stays of guests who are forgotten or merged. */
@Injectable()
export class GuestStaysRepository {
  private readonly table: Table<Reservation>;

  constructor(database: TenantDatabase, cursors: Cursors) {
    this.table = new Table(database, Reservation, cursors);
  }

  /** Takes a guest, and the free text about them, out of their stays. */
  forget({ orgId, id }: { orgId: string; id: string }): Promise<Changed<Reservation>[]> {
    return this.table.changing(
      orgId,
      `update reservations
          set guest_id = nullif(guest_id, $2), companion_ids = array_remove(companion_ids, $2),
              notes = null, cancellation_reason = null, version = version + 1, updated_at = $3
        where org_id = $1 and id = ${staysOf('$2')}`,
      [uuidIn(orgId), uuidIn(id), new Date().toISOString()],
    );
  }

  /** Gives the stays of a guest to another one, who may be a companion of the same stay already. */
  moveGuest({ orgId, id }: { orgId: string; id: string }, to: { id: string }): Promise<Changed<Reservation>[]> {
    const booker = 'case when guest_id = $2 then $3 else guest_id end';
    return this.table.changing(
      orgId,
      `update reservations
          set guest_id = ${booker},
              companion_ids = array(
                select one from unnest(array_replace(companion_ids, $2, $3)) with ordinality as named (one, place)
                 where one is distinct from ${booker} group by one order by min(place)),
              version = version + 1, updated_at = $4
        where org_id = $1 and id = ${staysOf('$2')}`,
      [uuidIn(orgId), uuidIn(id), uuidIn(to.id), new Date().toISOString()],
    );
  }
}
