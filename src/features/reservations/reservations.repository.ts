import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import type { Page } from '#operations';
import { type Changed, containing, Cursors, idColumn, Table, TenantDatabase, uuidIn, type Where } from '#persistence';
import type { Connection } from '../../outside/connections/connection.entity.js';
import { pushProvider } from '../../outside/by-reference/push-settings.dto.js';
import { referredTo } from '../../tenancy/references/referred-to.js';
import type { ImportedStay } from './imports/imported-stay.js';
import { type CountReservations, type ListReservations, type ReservationCountsView } from './reservation-lists.dto.js';
import { type ReservationSource, reservationStatuses, stayStatuses } from './reservation.dto.js';
import { filledIn } from './filled-in.js';
import { filter, isOfGuestCalled, sortable } from './reservation-filters.js';
import { Reservation } from './reservation.entity.js';

const mostCounted = 1_001;

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
  findRows(orgId: string, reservationIds: readonly string[], tail = ''): Promise<Reservation[]> {
    const where = this.table.where(orgId).and('id = any(?::uuid[])', reservationIds.map(uuidIn));
    return this.table.find(orgId, where, `order by id ${tail}`);
  }

  /** The same of those that the credential can see. */
  findVisible(caller: Caller, reservationIds: readonly string[], tail = ''): Promise<Reservation[]> {
    const where = this.visibleTo(caller).and('id = any(?::uuid[])', reservationIds.map(uuidIn));
    return this.table.find(caller.orgId, where, `order by id ${tail}`);
  }

  async find(caller: Caller, reservationId: string, tail = ''): Promise<Reservation | undefined> {
    const found = await this.findRow(caller, reservationId, tail);
    return found && (await this.shown(caller.orgId, [found]))[0];
  }

  /** Everything that a connection brought, and what one that is over brought to the same places under the same names. */
  imported(
    { orgId, id }: Connection,
    source: ReservationSource,
    stays: readonly ImportedStay[],
  ): Promise<Reservation[]> {
    const where = this.table.where(orgId).and(
      `(connection_id = ? or
          (source = ? and external_id = any(?::text[]) and property_id = any(?::uuid[])
           and (connection_id is null or connection_id in (
                  select c.id from connections c where c.org_id = $1 and c.status = 'disconnected'))))`,
      uuidIn(id),
      source,
      stays.map(({ externalId }) => externalId),
      [...new Set(stays.map(({ propertyId }) => uuidIn(propertyId)))],
    );
    return this.table.find(orgId, where, 'order by id');
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

  /** Takes stays out of the hands of a connection, as many of them as given. */
  release({ orgId, id }: Connection, most: number): Promise<Changed<Reservation>[]> {
    return this.table.changing(
      orgId,
      `update reservations set connection_id = null, version = version + 1, updated_at = $3
        where org_id = $1 and id = any(array(
          select id from reservations where org_id = $1 and connection_id = $2 limit $4 for no key update))`,
      [uuidIn(orgId), uuidIn(id), new Date().toISOString(), most],
    );
  }

  async list(caller: Caller, filters: ListReservations): Promise<Page<Reservation>> {
    const { limit, cursor, sort, q, updatedSince } = filters;
    const where = referredTo(filter(this.visibleTo(caller), filters, caller), 'reservation', filters)
      .since(updatedSince)
      .searching(q && containing(q), isOfGuestCalled);
    const found = await this.table.page(caller.orgId, where, { limit, cursor, sort }, sortable);
    return { ...found, items: await this.shown(caller.orgId, found.items) };
  }

  async count(caller: Caller, filters: CountReservations): Promise<ReservationCountsView> {
    const { text, values } = filter(this.visibleTo(caller), filters, caller);
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

  /** The arrivals of a day that wait for a unit, longest first. */
  unassigned(orgId: string, propertyId: string, date: string, tail = ''): Promise<Reservation[]> {
    const where = this.table
      .where(orgId)
      .and('property_id = ? and check_in_date = ?::date', uuidIn(propertyId), date)
      .and(`unit_id is null and unit_type_id is not null and status = 'confirmed' and stay_status = 'not_arrived'`)
      .and(
        `(source = 'manual' or connection_id is null or exists (
           select 1 from connections c where c.org_id = $1 and c.id = connection_id and c.provider = '${pushProvider}'))`,
      );
    return this.table.find(orgId, where, `order by check_out_date desc, id ${tail}`);
  }

  async insertAll(reservations: readonly Reservation[]): Promise<void> {
    await this.table.insertAllAtCommit(reservations);
    await this.database.flush();
  }

  update(reservation: Reservation, changes: Partial<Reservation>): Promise<Reservation> {
    return this.table.update(reservation, changes);
  }

  updateEach(wanted: Parameters<Table<Reservation>['updateEach']>[0]): Promise<Changed<Reservation>[]> {
    return this.table.updateEach(wanted);
  }

  private visibleTo({ orgId, propertyIds }: Caller): Where {
    return this.table.where(orgId).when(propertyIds?.map(uuidIn), 'property_id = any(?::uuid[])');
  }

  /** Fills in what is stored elsewhere: the names of guests, and what to look at. */
  shown(orgId: string, reservations: Reservation[]): Promise<Reservation[]> {
    return filledIn(this.database, orgId, reservations);
  }
}
