import { Module } from '@nestjs/common';
import type { Caller } from '#access';
import { Inclusions, type InclusionSource, OmitType, type Shape } from '#operations';
import { DeviceView } from '../features/devices/device.dto.js';
import { DevicesModule } from '../features/devices/devices.module.js';
import { DevicesRepository } from '../features/devices/devices.repository.js';
import { GuestView } from '../features/reservations/guest.dto.js';
import { GuestsRepository } from '../features/reservations/guests.repository.js';
import { ReservationsModule } from '../features/reservations/reservations.module.js';
import { TaskView } from '../features/tasks/task.dto.js';
import { TasksModule } from '../features/tasks/tasks.module.js';
import { TasksRepository } from '../features/tasks/tasks.repository.js';
import { MemberView } from '../tenancy/members/member.dto.js';
import { MembersRepository } from '../tenancy/members/members.repository.js';
import { OrganizationsModule } from '../tenancy/organizations.module.js';
import { PropertiesRepository } from '../tenancy/properties/properties.repository.js';
import { PropertyView } from '../tenancy/properties/property.dto.js';
import { UnitTypeView } from '../tenancy/unit-types/unit-type.dto.js';
import { UnitTypesRepository } from '../tenancy/unit-types/unit-types.repository.js';
import { UnitView } from '../tenancy/units/unit.dto.js';
import { UnitsRepository } from '../tenancy/units/units.repository.js';

// Without what takes another statement.
class IncludedUnit extends OmitType(UnitView, ['readiness', 'notReadyBecause']) {}
class IncludedUnitType extends OmitType(UnitTypeView, ['unitCount']) {}
class IncludedProperty extends OmitType(PropertyView, ['readiness', 'notReadyBecause']) {}
class IncludedTask extends OmitType(TaskView, ['attachments']) {}

/** The records that can be shown beside others (`include`), and who reads them: features do not know each other. */
@Module({ imports: [DevicesModule, OrganizationsModule, ReservationsModule, TasksModule] })
export class InclusionsModule {
  constructor(
    inclusions: Inclusions,
    guests: GuestsRepository,
    units: UnitsRepository,
    unitTypes: UnitTypesRepository,
    properties: PropertiesRepository,
    tasks: TasksRepository,
    members: MembersRepository,
    devices: DevicesRepository,
  ) {
    inclusions.are({
      guest: byId('guests:read', GuestView, (caller, ids) => guests.findMany(caller, ids)),
      unit: byId('properties:read', IncludedUnit, (caller, ids) => units.findMany(caller, ids)),
      unitType: byId('properties:read', IncludedUnitType, (caller, ids) => unitTypes.findMany(caller, ids)),
      property: byId('properties:read', IncludedProperty, (caller, ids) => properties.findMany(caller, ids)),
      tasks: {
        scope: 'tasks:read',
        view: IncludedTask,
        load: async (caller, ids) => {
          const [stays, rooms] = [ids.filter(isStay), ids.filter((id) => !isStay(id))];
          const found = await tasks.of(caller, stays, rooms);
          return found.map((task) => [
            stays.length > 0 ? (task.reservationId as string) : (task.unitId as string),
            task,
          ]);
        },
      },
      assignees: byId('members:read', MemberView, ({ orgId }, ids) => members.findMany(orgId, ids)),
      devices: {
        scope: 'devices:read',
        view: DeviceView,
        load: async (caller, ids) =>
          (await devices.inUnits(caller, ids)).map((device) => [device.unitId as string, device]),
      },
    });
  }
}

const isStay = (id: string): boolean => id.startsWith('reservation_');

const byId = (
  scope: string,
  view: Shape,
  find: (caller: Caller, ids: readonly string[]) => Promise<{ id: string }[]>,
): InclusionSource => ({
  scope,
  view,
  load: async (caller, ids) => (await find(caller, ids)).map((record) => [record.id, record]),
});
