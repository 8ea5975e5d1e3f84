import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { TenantDatabase, uuidIn } from '#persistence';
import { randomBase62 } from '#regions';
import { UsersService } from '../../tenancy/people/users.service.js';
import { NewMembers } from '../../tenancy/members/new-members.service.js';
import { OrganizationsService } from '../../tenancy/organizations/organizations.service.js';
import { PropertiesService } from '../../tenancy/properties/properties.service.js';
import type { Property } from '../../tenancy/properties/property.entity.js';
import { RolesService } from '../../tenancy/roles/roles.service.js';
import { UnitsService } from '../../tenancy/units/units.service.js';
import type { Task } from '../../features/tasks/task.entity.js';
import { TasksService } from '../../features/tasks/tasks.service.js';
import { DemoDevices } from './demo-devices.service.js';
import type { DemoView } from './demo.dto.js';
import { demoIsThere } from './demo.errors.js';
import { DemoHotel } from './demo-hotel.service.js';
import { demoProperties } from './demo-places.js';
import { at } from './demo-stays.js';
import { DemoStays, type Place } from './demo-stays.service.js';
import { demoPeople, type DemoTask, demoTasks } from './demo-work.js';

const hourMs = 3_600_000;

/** Fills an organization with a month around today, through the services and with their usual rules. */
@Injectable()
export class DemoService {
  constructor(
    private readonly database: TenantDatabase,
    private readonly users: UsersService,
    private readonly organizations: OrganizationsService,
    private readonly members: NewMembers,
    private readonly roles: RolesService,
    private readonly properties: PropertiesService,
    private readonly units: UnitsService,
    private readonly stays: DemoStays,
    private readonly tasks: TasksService,
    private readonly devices: DemoDevices,
    private readonly hotel: DemoHotel,
  ) {}

  /**
   * @param caller with every permission, inside a transaction of the organization.
   * @throws conflict_error DEMO_EXISTS when it was filled before.
   */
  async fill(caller: Caller): Promise<DemoView> {
    await this.refuseTwice(caller);
    const people = await this.addPeople(caller);
    const places = await this.addPlaces(caller);
    const stays = await this.stays.add(caller, places);
    const hotel = await this.hotel.fill(caller);
    const properties = [...new Set(places.map(({ property }) => property)), hotel.property];
    const comments = await this.addTasks(caller, properties, people);
    return {
      properties: properties.length,
      units: places.filter(({ unitId }) => unitId).length + hotel.units,
      members: demoPeople.length,
      reservations: stays + hotel.reservations,
      tasks: await this.countTasks(caller),
      devices: await this.devices.add({ ...caller, memberId: at(people, 0) }, properties),
      comments,
    };
  }

  private async refuseTwice({ orgId }: Caller): Promise<void> {
    const text = `select 1 from properties where org_id = $1 and metadata->>'demo' = 'true' limit 1`;
    const found = await this.database.rows(orgId, text, [uuidIn(orgId)]);
    if (found.length > 0) throw demoIsThere();
  }

  /** Separate accounts, at addresses that nobody has, with passwords that nobody knows. */
  private async addPeople(caller: Caller): Promise<string[]> {
    const { slug } = await this.organizations.get(caller);
    const active: string[] = [];
    for (const { name, role, invited } of demoPeople) {
      const email = `${name.toLowerCase().replace(' ', '.')}@${slug}.example.com`;
      const { id: roleId } = await this.roles.findByNameOrId(caller, role);
      if (invited) await this.members.invite(caller, { email, name, roleId });
      else {
        const user =
          (await this.users.findByEmail(email)) ?? (await this.users.create({ email, name, password: randomBase62() }));
        active.push((await this.members.add(caller, { userId: user.id, email, name, roleId })).id);
      }
    }
    return active;
  }

  private async addPlaces(caller: Caller): Promise<Place[]> {
    const places: Place[] = [];
    for (const { property: given, units } of demoProperties) {
      const property = await this.properties.create(caller, given);
      if (units.length === 0) places.push({ property, unitId: null });
      for (const unit of units) {
        const { id: unitId } = await this.units.create(caller, { propertyId: property.id, ...unit });
        places.push({ property, unitId });
      }
    }
    return places;
  }

  private async addTasks(caller: Caller, properties: readonly Property[], people: readonly string[]): Promise<number> {
    let comments = 0;
    for (const [index, planned] of demoTasks.entries()) {
      const { task, property, dueIn, assigned } = planned;
      const { id: taskId } = await this.tasks.create(caller, {
        ...task,
        ...(property !== undefined && { propertyId: (properties[property] as Property).id }),
        ...(dueIn !== undefined && { dueAt: new Date(Date.now() + dueIn * hourMs).toISOString() }),
        ...(assigned && { assigneeIds: [at(people, index)] }),
      });
      for (const text of planned.comments ?? []) {
        await this.tasks.comment({ ...caller, memberId: at(people, comments) }, { taskId, text });
        comments += 1;
      }
      await this.endTask(caller, taskId, planned);
    }
    return comments;
  }

  private async endTask(caller: Caller, taskId: string, { end }: DemoTask): Promise<Task | undefined> {
    if (end === 'pending') return undefined;
    if (end === 'archived') return await this.tasks.archive(caller, taskId);
    const moves = { started: 'start', completed: 'complete', cancelled: 'cancel' } as const;
    return await this.tasks.move(caller, taskId, moves[end]);
  }

  private async countTasks(caller: Caller): Promise<number> {
    const text = 'select count(*)::integer as count from tasks where org_id = $1';
    const [row] = await this.database.rows(caller.orgId, text, [uuidIn(caller.orgId)]);
    return row?.count as number;
  }
}
