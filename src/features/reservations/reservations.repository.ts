import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import type { Page } from '#operations';
import {
  type Changed,
  containing,
  Cursors,
  hyphened,
  idsCalled,
  Table,
  TenantDatabase,
  uuidIn,
  type Where,
} from '#persistence';
import type { Connection } from '../../outside/connections/connection.entity.js';
import type { ImportedStay } from './imports/imported-stay.js';
import {
  type CountReservations,
  type GuestOfStayView,
  type ListReservations,
  type ReservationCountsView,
  type ReservationSource,
  reservationStatuses,
  stayStatuses,
} from './reservation.dto.js';
import { Reservation } from './reservation.entity.js';
import { staysOf } from './search.js';

const sortable = {
  updatedAt: { asc: 'updated_at', desc: 'updated_at' },
  checkInDate: { asc: 'check_in_date', desc: 'check_in_date' },
};
const isOfGuestCalled = {
  newest: '(select g.name from guests g where g.org_id = reservations.org_id and g.id = guest_id) ilike ?',
  indexed: `guest_id = any(${idsCalled('guests')})`,
};
const isOfGuestAt = 'guest_id in (select id from guests g where g.org_id = $1 and g.email_key = lower(?))';
const mostCounted = 1_001;

/** A place is rented separately: the unit, or else the whole property. */
export const placeOf = ({ unitId, propertyId }: Pick<Reservation, 'unitId' | 'propertyId'>): string =>
  unitId ?? propertyId;

@Injectable()
export class ReservationsRepository {
  private readonly table: Table<Reservation>;

  constructor(
    private readonly database: TenantDatabase,
    cursors: Cursors,
  ) {
    this.table = new Table(database, Reservation, cursors);
  }

  /** The row alone, for what shows nobody the names of guests. */
  findRow(caller: Caller, reservationId: string, tail = ''): Promise<Reservation | undefined> {
    return this.table.findOne(caller.orgId, this.visibleTo(caller).and('id = ?', uuidIn(reservationId)), tail);
  }

  async find(caller: Caller, reservationId: string, tail = ''): Promise<Reservation | undefined> {
    const found = await this.findRow(caller, reservationId, tail);
    return found && (await this.shown(caller.orgId, [found]))[0];
  }

  /** Everything that a connection brought, and what an earlier one left behind at the same places under the same names. */
  imported(
    { orgId, id }: Connection,
    source: ReservationSource,
    stays: readonly ImportedStay[],
    lock: '' | 'for no key update' = '',
  ): Promise<Reservation[]> {
    const where = this.table.where(orgId).and(
      `(connection_id = ? or
          (connection_id is null and source = ? and external_id = any(?::text[]) and property_id = any(?::uuid[])))`,
      uuidIn(id),
      source,
      stays.map(({ externalId }) => externalId),
      [...new Set(stays.map(({ propertyId }) => uuidIn(propertyId)))],
    );
    return this.table.find(orgId, where, `order by id ${lock}`);
  }

  release({ orgId, id }: Connection): Promise<Changed<Reservation>[]> {
    return this.table.changing(
      orgId,
      `update reservations set connection_id = null, version = version + 1, updated_at = $3
        where org_id = $1 and connection_id = $2`,
      [uuidIn(orgId), uuidIn(id), new Date().toISOString()],
    );
  }

  async list(caller: Caller, filters: ListReservations): Promise<Page<Reservation>> {
    const { limit, cursor, sort, q, updatedSince } = filters;
    const where = this.filtered(caller, filters)
      .whenWithin(updatedSince, 'updated_at >= ?::timestamptz')
      .searching(q && containing(q), isOfGuestCalled);
    const found = await this.table.page(caller.orgId, where, { limit, cursor, sort }, sortable);
    return { ...found, items: await this.shown(caller.orgId, found.items) };
  }

  async count(caller: Caller, filters: CountReservations): Promise<ReservationCountsView> {
    const { text, values } = this.filtered(caller, filters);
    const countOf = (column: string) => (value: string) =>
      `'${value}', (select count(*) from (select 1 from reservations ${text} and ${column} = '${value}' limit ${mostCounted}) one)`;
    const [row] = await this.database.rows(
      caller.orgId,
      `select jsonb_build_object(${reservationStatuses.map(countOf('status')).join()}) as status,
              jsonb_build_object(${stayStatuses.map(countOf('stay_status')).join()}) as "stayStatus"`,
      values,
    );
    return row as unknown as ReservationCountsView;
  }

  /** Decisions about a place wait for each other, so that two bookings see each other. */
  async lockPlace(orgId: string, placeId: string): Promise<void> {
    await this.database.rows(orgId, `select pg_advisory_xact_lock(hashtextextended($1, 0))`, [`place:${placeId}`]);
  }

  /** The confirmed stays that occupy the place on some of the nights, whichever system owns them. */
  clashesWith(reservation: Reservation): Promise<Reservation[]> {
    const { orgId, id, checkInDate, checkOutDate } = reservation;
    const where = this.table
      .where(orgId)
      .and('place_id = ?', uuidIn(placeOf(reservation)))
      .and(`status = 'confirmed' and id <> ?`, uuidIn(id))
      .and('daterange(check_in_date, check_out_date) && daterange(?::date, ?::date)', checkInDate, checkOutDate);
    return this.table.find(orgId, where, 'order by check_in_date limit 20');
  }

  /** Flags the confirmed stays at a place that overlap another one, and clears the flag of those that no longer do. */
  markOverlaps(orgId: string, placeId: string): Promise<Changed<Reservation>[]> {
    return this.table.changing(
      orgId,
      `with judged as (
         select id, status = 'confirmed' and exists (
                  select 1 from reservations o
                   where o.org_id = r.org_id and o.place_id = r.place_id and o.id <> r.id and o.status = 'confirmed'
                     and daterange(o.check_in_date, o.check_out_date) && daterange(r.check_in_date, r.check_out_date)) as overlapping
           from reservations r where r.org_id = $1 and r.place_id = $2)
       update reservations r set overlapping = judged.overlapping, version = version + 1, updated_at = $3
         from judged where r.org_id = $1 and r.id = judged.id and r.overlapping <> judged.overlapping`,
      [uuidIn(orgId), uuidIn(placeId), new Date().toISOString()],
    );
  }

  /** Takes a guest, and the free text about them, out of their stays. */
  forget({ orgId, id }: { orgId: string; id: string }): Promise<Changed<Reservation>[]> {
    return this.table.changing(
      orgId,
      `update reservations
          set guest_id = nullif(guest_id, $2), companion_ids = array_remove(companion_ids, $2),
              notes = null, cancellation_reason = null, version = version + 1, updated_at = $3
        where org_id = $1 and id in (${staysOf('$2')})`,
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
        where org_id = $1 and id in (${staysOf('$2')})`,
      [uuidIn(orgId), uuidIn(id), uuidIn(to.id), new Date().toISOString()],
    );
  }

  insert(reservation: Reservation): Promise<Reservation> {
    return this.table.insert(reservation);
  }

  update(reservation: Reservation, changes: Partial<Reservation>): Promise<Reservation> {
    return this.table.update(reservation, changes);
  }

  private filtered(caller: Caller, filters: CountReservations): Where {
    const where = this.visibleTo(caller)
      .when(filters.propertyId && uuidIn(filters.propertyId), 'property_id = ?')
      .when(filters.unitId && uuidIn(filters.unitId), 'unit_id = ?')
      .when(filters.status, 'status = ?')
      .when(filters.stayStatus, 'stay_status = ?')
      .whenWithin(filters.channel, 'channel = ?')
      .whenWithin(filters.confirmationCode, 'confirmation_code = ?')
      .whenWithin(filters.guestEmail, isOfGuestAt)
      .whenWithin(filters.arrivingOn, 'check_in_date = ?::date')
      .whenWithin(filters.arrivingFrom, 'check_in_date >= ?::date')
      .whenWithin(filters.arrivingBefore, 'check_in_date < ?::date')
      .whenWithin(filters.departingOn, 'check_out_date = ?::date')
      .whenWithin(filters.stayingOn, 'check_in_date <= ?::date')
      .whenWithin(filters.stayingOn, 'check_out_date > ?::date')
      .whenWithin(filters.inHouseOn, `stay_status = 'checked_in' and check_in_date <= ?::date`)
      .whenWithin(filters.inHouseOn, 'check_out_date > ?::date');
    const { guestId } = filters;
    return guestId ? where.and(`id in (${staysOf('?')})`, uuidIn(guestId), uuidIn(guestId)) : where;
  }

  private visibleTo({ orgId, propertyIds }: Caller): Where {
    return this.table.where(orgId).when(propertyIds?.map(uuidIn), 'property_id = any(?::uuid[])');
  }

  /** Fills in what is stored elsewhere: the names of guests, and the time zone of the property. */
  async shown(orgId: string, reservations: Reservation[]): Promise<Reservation[]> {
    if (reservations.length === 0) return reservations;
    const rows = await this.database.rows(
      orgId,
      `select id, name as text from guests where org_id = $1 and id = any($2::uuid[])
       union all select id, timezone from properties where org_id = $1 and id = any($3::uuid[])`,
      [
        uuidIn(orgId),
        reservations.flatMap(({ guestId, companionIds }) => [guestId ?? [], companionIds].flat()).map(uuidIn),
        [...new Set(reservations.map(({ propertyId }) => uuidIn(propertyId)))],
      ],
    );
    const texts = new Map(rows.map(({ id, text }) => [id as string, text as string]));
    const textOf = (id: string): string => texts.get(hyphened(id)) as string;
    const shownGuest = (id: string): GuestOfStayView => ({ id, name: textOf(id) });
    for (const reservation of reservations) {
      reservation.primaryGuest = reservation.guestId === null ? null : shownGuest(reservation.guestId);
      reservation.companions = reservation.companionIds.map(shownGuest);
      reservation.timezone = textOf(reservation.propertyId);
    }
    return reservations;
  }
}
