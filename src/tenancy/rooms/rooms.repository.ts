import { Injectable } from '@nestjs/common';
import { type Changed, Cursors, recordOf, Table, TenantDatabase, uuidIn } from '#persistence';
import { SystemDatabase } from '#system-database';
import { dueInTurns, soonestOf } from '#jobs';
import type { CleaningStatus } from '../properties/property.dto.js';
import { Property } from '../properties/property.entity.js';
import { Unit } from '../units/unit.entity.js';

/** A unit, or a property without its units or with all of them. */
export interface Room {
  propertyId: string;
  unitId: string | null;
  withUnits?: boolean;
}

export interface DueProperty {
  orgId: string;
  id: string;
}

const mornings = { table: 'properties', since: 'next_morning_at', where: 'archived_at is null' };
const dueMornings = dueInTurns(mornings);
export const soonestMorning = soonestOf(mornings);

/** Statuses that work leads to; the others are set, and taken back, by people. */
const followed = `cleaning_status in ('dirty', 'cleaning', 'clean', 'inspected') and cleaning_status <> $3`;
/** The flags of guests that have not ended at midnight. */
const flags = ['do_not_disturb_until', 'make_up_room_until'];
const isFlagged = flags.map((flag) => `${flag} > $4`).join(' or ');
const endingFlags = flags.map((flag) => `${flag} = case when ${flag} > $4 then null else ${flag} end, `).join('');
const isFollowing = (propertyId: string): string =>
  `exists (select 1 from properties p where p.org_id = $1 and p.id = ${propertyId} and p.room_status_follows_work)`;

/** The state of rooms as work and stays change it. */
@Injectable()
export class RoomsRepository {
  private readonly properties: Table<Property>;
  private readonly units: Table<Unit>;

  constructor(
    private readonly database: TenantDatabase,
    private readonly system: SystemDatabase,
    cursors: Cursors,
  ) {
    this.properties = new Table(database, Property, cursors);
    this.units = new Table(database, Unit, cursors);
  }

  /** Locks rooms until the transaction ends, each kind in one order, and properties before their units. */
  async lock(orgId: string, rooms: readonly Room[]): Promise<void> {
    const { propertyIds, unitIds, wholeIds } = idsOf(rooms);
    if (propertyIds.length > 0)
      await this.database.rows(
        orgId,
        'select 1 from properties where org_id = $1 and id = any($2::uuid[]) order by id for no key update',
        [uuidIn(orgId), propertyIds],
      );
    await this.database.rows(
      orgId,
      'select 1 from units where org_id = $1 and (id = any($2::uuid[]) or property_id = any($3::uuid[])) order by id for no key update',
      [uuidIn(orgId), unitIds, wholeIds],
    );
  }

  /** @returns the properties that changed: those whose room state follows work. */
  setProperties(orgId: string, rooms: readonly Room[], status: CleaningStatus): Promise<Changed<Property>[]> {
    return this.properties.changing(
      orgId,
      `update properties set cleaning_status = $3, version = version + 1, updated_at = $4
        where org_id = $1 and id = any($2::uuid[]) and room_status_follows_work and ${followed}`,
      [uuidIn(orgId), idsOf(rooms).propertyIds, status, new Date().toISOString()],
    );
  }

  /**
   * @param areLeft whether guests have left the rooms: their flags end, whether or not room state follows work.
   * @param isUsed whether the status changes; otherwise, only flags end.
   * @returns the units that changed: those in use, of properties whose room state follows work.
   */
  setUnits(
    orgId: string,
    rooms: readonly Room[],
    status: CleaningStatus,
    { areLeft = false, isUsed = true } = {},
  ): Promise<Changed<Unit>[]> {
    const { unitIds, wholeIds } = idsOf(rooms);
    const follows = `${isUsed} and ${followed} and ${isFollowing('u.property_id')}`;
    return this.units.changing(
      orgId,
      `update units u
          set cleaning_status = case when ${follows} then $3 else cleaning_status end, ${areLeft ? endingFlags : ''}
              version = version + 1, updated_at = $4
        where org_id = $1 and (id = any($2::uuid[]) or property_id = any($5::uuid[])) and archived_at is null
          and (${follows} ${areLeft ? `or ${isFlagged}` : ''})`,
      [uuidIn(orgId), unitIds, status, new Date().toISOString(), wholeIds],
    );
  }

  /** The rooms with guests who are not overdue; a stay of the whole property is in all of its rooms. */
  async inHouse(orgId: string, propertyId: string, today: string): Promise<Room[]> {
    const rows = await this.database.rows(
      orgId,
      `select unit_id from reservations
        where org_id = $1 and property_id = $2 and status = 'confirmed' and stay_status = 'checked_in'
          and check_out_date >= $3::date`,
      [uuidIn(orgId), uuidIn(propertyId), today],
    );
    return rows.map(({ unit_id: unitId }) => ({
      propertyId,
      unitId: unitId as string | null,
      withUnits: unitId === null,
    }));
  }

  /** Over all organizations, in turn. */
  async dueMornings(now: string): Promise<DueProperty[]> {
    return (await this.system.rows(dueMornings, [now])).map(recordOf('property'));
  }

  /** Takes one due morning for the current transaction: the time zone; undefined if another node has it. */
  async takeMorning(orgId: string, propertyId: string, now: string): Promise<string | undefined> {
    const [row] = await this.database.rows(
      orgId,
      `select timezone from properties where org_id = $1 and id = $2 and next_morning_at <= $3 and archived_at is null
          for no key update skip locked`,
      [uuidIn(orgId), uuidIn(propertyId), now],
    );
    return row?.timezone as string | undefined;
  }
}

const idsOf = (rooms: readonly Room[]) => ({
  propertyIds: rooms.flatMap(({ propertyId, unitId }) => (unitId ? [] : [uuidIn(propertyId)])),
  unitIds: rooms.flatMap(({ unitId }) => (unitId ? [uuidIn(unitId)] : [])),
  wholeIds: rooms.flatMap(({ propertyId, unitId, withUnits }) => (!unitId && withUnits ? [uuidIn(propertyId)] : [])),
});
