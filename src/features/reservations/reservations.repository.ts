import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import type { Page } from '#operations';
import {
  type Changed,
  containing,
  Cursors,
  hyphened,
  idColumn,
  idsCalled,
  Table,
  TenantDatabase,
  uuidIn,
  type Where,
} from '#persistence';
import type { Connection } from '../../outside/connections/connection.entity.js';
import { pushProvider, pushSettingsOf } from '../../outside/by-reference/push-settings.dto.js';
import type { ImportedStay } from './imports/imported-stay.js';
import { type CountReservations, type ListReservations, type ReservationCountsView } from './reservation-lists.dto.js';
import {
  type GuestOfStayView,
  type ReservationSource,
  reservationStatuses,
  stayStatuses,
  stayWarnings,
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
/** Ids of the stays in a unit, for all of their nights or some. */
const staysIn = (unit: string): string =>
  `select id from reservations s where s.org_id = $1 and s.unit_id = ${unit}
   union all
   select reservation_id from stay_segments m where m.org_id = $1 and m.unit_id = ${unit}`;
const isUnassigned = 'unit_id is null and unit_type_id is not null';
const isOfGuestAt = 'guest_id in (select id from guests g where g.org_id = $1 and g.email_key = lower(?))';
const mostCounted = 1_001;

/** What to look at in the stays $3: more guests than the unit, or else its type, sleeps; a block in a whole property. */
const warnings = `
  select r.id, null, concat_ws(',',
           case when (guest_counts ->> 'adults')::integer + coalesce((guest_counts ->> 'children')::integer, 0)
                  > coalesce(u.capacity, t.capacity) then 'over_capacity' end,
           case when r.unit_id is null and r.unit_type_id is null and exists (
                  select 1 from unit_blocks b
                   where b.org_id = $1 and b.property_id = r.property_id and b.kind in ('out_of_order', 'owner_use')
                     and b.from_date < r.occupied_until and coalesce(b.until_date, 'infinity') > r.occupied_from)
                then 'unit_blocked' end)
    from reservations r
    left join units u on u.org_id = $1 and u.id = r.unit_id
    left join unit_types t on t.org_id = $1 and t.id = r.unit_type_id
   where r.org_id = $1 and r.id = any($3::uuid[])`;

@Injectable()
export class ReservationsRepository {
  private readonly table: Table<Reservation>;

  constructor(
    private readonly database: TenantDatabase,
    cursors: Cursors,
  ) {
    this.table = new Table(database, Reservation, cursors);
  }

  /** The fields that are stored, of those of a record and its view. */
  columnsOf(fields: object): Partial<Reservation> {
    return this.table.columnsOf(fields);
  }

  /** The row alone, for what shows nobody the names of guests. */
  findRow(caller: Caller, reservationId: string, tail = ''): Promise<Reservation | undefined> {
    return this.table.findOne(caller.orgId, this.visibleTo(caller).and('id = ?', uuidIn(reservationId)), tail);
  }

  /** The same of many stays, in one order. */
  findRows(orgId: string, reservationIds: readonly string[]): Promise<Reservation[]> {
    const where = this.table.where(orgId).and('id = any(?::uuid[])', reservationIds.map(uuidIn));
    return this.table.find(orgId, where, 'order by id');
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

  async propertiesOf(caller: Caller, reservationIds: readonly string[]): Promise<string[]> {
    if (reservationIds.length === 0) return [];
    const where = this.visibleTo(caller).and('id = any(?::uuid[])', reservationIds.map(uuidIn));
    const rows = await this.database.rows(
      caller.orgId,
      `select distinct property_id from reservations ${where.text}`,
      where.values,
    );
    return rows.map(({ property_id: id }) => idColumn('property').from(id) as string);
  }

  /** The stays of a connection whose guests have not arrived and can still come. */
  toCome({ orgId, id }: Connection): Promise<Reservation[]> {
    const where = this.table
      .where(orgId)
      .and('connection_id = ?', uuidIn(id))
      .and(`status in ('inquiry', 'pending', 'confirmed') and stay_status = 'not_arrived'`)
      .andNow('departure_at > ?');
    return this.table.find(orgId, where, 'order by id');
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
      .since(updatedSince)
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

  /** The arrivals of a day that wait for a unit, longest first, locked. */
  unassigned(orgId: string, propertyId: string, date: string): Promise<Reservation[]> {
    const where = this.table
      .where(orgId)
      .and('property_id = ? and check_in_date = ?::date', uuidIn(propertyId), date)
      .and(`unit_id is null and unit_type_id is not null and status = 'confirmed' and stay_status = 'not_arrived'`)
      .and(
        `(source = 'manual' or connection_id is null or exists (
           select 1 from connections c where c.org_id = $1 and c.id = connection_id and c.provider = '${pushProvider}'))
         and check_out_date > check_in_date`,
      );
    return this.table.find(orgId, where, 'order by check_out_date desc, id for no key update');
  }

  insertAllAtCommit(reservations: readonly Reservation[]): Promise<void> {
    return this.table.insertAllAtCommit(reservations);
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
      .when(filters.unitTypeId && uuidIn(filters.unitTypeId), 'unit_type_id = ?')
      .whenWithin(filters.groupRef, 'group_ref = ?')
      .when(filters.status, 'status = ?')
      .when(filters.stayStatus, 'stay_status = ?')
      .whenWithin(filters.channel, 'channel = ?')
      .whenWithin(filters.confirmationCode, 'confirmation_code = ?')
      .whenWithin(filters.guestEmail, isOfGuestAt)
      .whenWithin(filters.arrivingOn, 'check_in_date = ?::date')
      .whenWithin(filters.arrivingFrom, 'check_in_date >= ?::date')
      .whenWithin(filters.arrivingBefore, 'check_in_date < ?::date')
      .whenWithin(filters.departingOn, 'check_out_date = ?::date')
      .whenWithin(filters.stayingOn, 'id = any(array(select stays_over(?::date)))')
      .whenWithin(filters.inHouseOn, `stay_status = 'checked_in' and check_in_date <= ?::date`)
      .whenWithin(filters.inHouseOn, 'check_out_date > ?::date');
    const { guestId, unitId, unassigned } = filters;
    if (guestId) where.and(`id in (${staysOf('?')})`, uuidIn(guestId), uuidIn(guestId));
    if (unitId) where.and(`id in (${staysIn('?')})`, uuidIn(unitId), uuidIn(unitId));
    if (unassigned !== undefined) where.and(unassigned ? isUnassigned : `not (${isUnassigned})`);
    return where;
  }

  private visibleTo({ orgId, propertyIds }: Caller): Where {
    return this.table.where(orgId).when(propertyIds?.map(uuidIn), 'property_id = any(?::uuid[])');
  }

  /** Fills in what is stored elsewhere: the names of guests, and what to look at. */
  async shown(orgId: string, reservations: Reservation[]): Promise<Reservation[]> {
    if (reservations.length === 0) return reservations;
    const rows = await this.database.rows(
      orgId,
      `select id, name as text, null as noted from guests where org_id = $1 and id = any($2::uuid[])
       union all select id, settings::text, null from connections
                  where org_id = $1 and id = any($4::uuid[]) and provider = '${pushProvider}'
       union all ${warnings}`,
      [
        uuidIn(orgId),
        reservations.flatMap(({ guestId, companionIds }) => [guestId ?? [], companionIds].flat()).map(uuidIn),
        reservations.map(({ id }) => uuidIn(id)),
        [...new Set(reservations.flatMap(({ connectionId }) => connectionId ?? []))].map(uuidIn),
      ],
    );
    const texts = new Map(
      rows.flatMap(({ id, text }) => (text === null ? [] : [[id as string, text as string] as const])),
    );
    const notes = new Map(
      rows.flatMap(({ id, noted }) => (noted === null ? [] : [[id as string, noted as string] as const])),
    );
    const textOf = (id: string): string => texts.get(hyphened(id)) as string;
    const shownGuest = (id: string): GuestOfStayView => ({ id, name: textOf(id) });
    for (const reservation of reservations) {
      reservation.primaryGuest = reservation.guestId === null ? null : shownGuest(reservation.guestId);
      reservation.companions = reservation.companionIds.map(shownGuest);
      const settings = reservation.connectionId && texts.get(hyphened(reservation.connectionId));
      reservation.pushed = settings ? pushSettingsOf({ settings: JSON.parse(settings) as object }) : null;
      const noted = notes.get(hyphened(reservation.id));
      reservation.warnings = stayWarnings.filter((warning) => noted?.includes(warning));
    }
    return reservations;
  }
}
