import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { TenantDatabase, uuidIn, Where } from '#persistence';
import type { Place } from './place.js';
import type { Stay } from './stay.js';
import { columns, readStay } from './stay-rows.js';

const mostNamed = 20;

/** Stays as the features beside reservations see them: tasks, devices and guides hang on them. */
@Injectable()
export class StaysRepository {
  constructor(private readonly database: TenantDatabase) {}

  async find({ orgId, propertyIds }: Caller, reservationId: string): Promise<Stay | undefined> {
    const where = inOrganization(orgId)
      .and('id = ?', uuidIn(reservationId))
      .when(propertyIds?.map(uuidIn), 'property_id = any(?::uuid[])');
    return (await this.read(orgId, where))[0];
  }

  /** Locks a stay until the transaction ends: other changes to it wait. */
  async lock(caller: Caller, reservationId: string): Promise<void> {
    const text = 'select 1 from reservations where org_id = $1 and id = $2 for share';
    await this.database.rows(caller.orgId, text, [uuidIn(caller.orgId), uuidIn(reservationId)]);
  }

  /** The first of the future and current stays at a property, in a unit or of a unit type: overdue guests are still there. */
  async toCome(orgId: string, { propertyId, unitId, unitTypeId }: Place & { unitTypeId?: string }): Promise<string[]> {
    const where = inOrganization(orgId)
      .and('property_id = ?', uuidIn(propertyId))
      .when(unitTypeId && uuidIn(unitTypeId), 'unit_type_id = ?')
      .and(`status in ('inquiry', 'pending', 'confirmed') and stay_status in ('not_arrived', 'checked_in')`)
      .and(`(departure_at > ? or stay_status = 'checked_in')`, new Date().toISOString());
    if (unitId)
      where.and(
        `(unit_id = ? or exists (select 1 from jsonb_array_elements(rooms) room where room ->> 'unitId' = ?))`,
        uuidIn(unitId),
        unitId,
      );
    return (await this.read(orgId, where, `order by arrival_at limit ${mostNamed}`)).map(({ id }) => id);
  }

  private async read(orgId: string, where: Where, tail = ''): Promise<Stay[]> {
    return (
      await this.database.rows(orgId, `select ${columns} from reservations ${where.text} ${tail}`, where.values)
    ).map(readStay);
  }
}

const inOrganization = (orgId: string): Where => new Where().and('org_id = ?', uuidIn(orgId));
