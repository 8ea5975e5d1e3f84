import { Injectable } from '@nestjs/common';
import { idColumn, TenantDatabase, uuidIn } from '#persistence';
import type { Room } from '../../tenancy/rooms/rooms.repository.js';

const ids = { task: idColumn('task'), property: idColumn('property'), unit: idColumn('unit') };

@Injectable()
export class TaskRoomsRepository {
  constructor(private readonly database: TenantDatabase) {}

  /**
   * The rooms that cleaning and inspecting them changes, by the ids of the tasks: at properties whose room state follows
   * work. A task of a stay of the whole property is about all of it, one of a stay without a unit yet about no room.
   */
  async of(orgId: string, taskIds: readonly string[]): Promise<Map<string, Room>> {
    const rows = await this.database.rows(
      orgId,
      `select t.id, t.property_id, t.unit_id, r.id is not null as "withUnits"
         from tasks t join properties p on p.org_id = $1 and p.id = t.property_id and p.room_status_follows_work
         left join reservations r on r.org_id = $1 and r.id = t.reservation_id
        where t.org_id = $1 and t.id = any($2::uuid[]) and t.type in ('cleaning', 'inspection')
          and (t.unit_id is not null or r.id is null or r.unit_type_id is null)`,
      [uuidIn(orgId), taskIds.map(uuidIn)],
    );
    return new Map(
      rows.map(({ id, property_id, unit_id, withUnits }) => [
        ids.task.from(id) as string,
        {
          propertyId: ids.property.from(property_id) as string,
          unitId: ids.unit.from(unit_id) as string | null,
          withUnits: withUnits as boolean,
        },
      ]),
    );
  }
}
