import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { Assignments } from '../../features/reservations/assignments/assignments.service.js';
import { UnitBlocksService } from '../../features/reservations/blocks/unit-blocks.service.js';
import { ReservationsService } from '../../features/reservations/reservations.service.js';
import { StayStates } from '../../features/reservations/stay-states.service.js';
import { TasksService } from '../../features/tasks/tasks.service.js';
import { PropertiesService } from '../../tenancy/properties/properties.service.js';
import type { Property } from '../../tenancy/properties/property.entity.js';
import { UnitTypesService } from '../../tenancy/unit-types/unit-types.service.js';
import { FreeUnits } from '../../tenancy/units/free-units.service.js';
import { UnitsService } from '../../tenancy/units/units.service.js';
import { demoHotel, demoTypes, floors, type HotelStay, hotelStays, roomsOfFloor } from './demo-hotel.js';
import { day, guestName } from './demo-stays.js';

/** The hotel of the demo: forty rooms in four types, and a month of stays. */
@Injectable()
export class DemoHotel {
  constructor(
    private readonly properties: PropertiesService,
    private readonly types: UnitTypesService,
    private readonly units: UnitsService,
    private readonly freeUnits: FreeUnits,
    private readonly reservations: ReservationsService,
    private readonly assignments: Assignments,
    private readonly states: StayStates,
    private readonly blocks: UnitBlocksService,
    private readonly tasks: TasksService,
  ) {}

  async fill(caller: Caller): Promise<{ property: Property; units: number; reservations: number }> {
    const property = await this.properties.create(caller, demoHotel);
    const propertyId = property.id;
    const typeIds = new Map<string, string>();
    for (const type of demoTypes) typeIds.set(type.code, (await this.types.create(caller, { propertyId, ...type })).id);
    const rooms = await this.addRooms(caller, propertyId, typeIds);
    for (const [index, stay] of hotelStays.entries())
      await this.addStay(caller, { propertyId, unitTypeId: typeIds.get(stay.type) as string }, stay, index);
    const [first, broken, lent] = [rooms[0], rooms.at(-1), rooms.at(-2)] as [string, string, string];
    await this.addDayUse(caller, propertyId, first);
    await this.addBlocks(caller, propertyId, broken, lent);
    return { property, units: rooms.length, reservations: hotelStays.length + 1 };
  }

  private async addRooms(caller: Caller, propertyId: string, typeIds: ReadonlyMap<string, string>): Promise<string[]> {
    const rooms: string[] = [];
    for (let floor = 1; floor <= floors; floor += 1)
      for (const [index, type] of roomsOfFloor.entries()) {
        const name = `${floor}${String(index + 1).padStart(2, '0')}`;
        const room = { propertyId, name, floor: String(floor), sortOrder: index, unitTypeId: typeIds.get(type) };
        rooms.push((await this.units.create(caller, room)).id);
      }
    return rooms;
  }

  private async addStay(
    caller: Caller,
    place: { propertyId: string; unitTypeId: string },
    stay: HotelStay,
    index: number,
  ): Promise<void> {
    const { id: reservationId, departureAt } = await this.reservations.create(caller, {
      ...place,
      checkInDate: day(stay.arrivesIn),
      checkOutDate: day(stay.arrivesIn + stay.nights),
      primaryGuest: { name: guestName(index + 20), email: `hotel-guest-${index + 1}@example.com` },
      guestCounts: { adults: 1 + (index % 2) },
      groupRef: stay.groupRef ?? null,
      channel: 'direct',
    });
    if (stay.end === 'waits') return;
    if (stay.end === 'no_show') {
      await this.states.markNoShow(caller, { reservationId });
      return;
    }
    if (stay.end === 'released') {
      await this.states.markNoShow(caller, { reservationId, release: true });
      return;
    }
    const wanted = { ...place, from: day(stay.arrivesIn), until: day(stay.arrivesIn + stay.nights) };
    const unitId = (await this.freeUnits.bestFor(caller.orgId, wanted, day(0))) as string;
    await this.assignments.assign(caller, { reservationId, unitId });
    if (stay.end === 'assigned') return;
    await this.states.checkIn(caller, { reservationId, early: true });
    if (stay.end === 'left') await this.states.checkOut(caller, { reservationId, departedAt: departureAt });
    if (stay.end === 'left_early') await this.states.checkOut(caller, { reservationId });
  }

  /** Somebody sleeps between two flights. */
  private async addDayUse(caller: Caller, propertyId: string, unitId: string): Promise<void> {
    const today = day(0);
    await this.reservations.create(caller, {
      propertyId,
      unitId,
      checkInDate: today,
      checkOutDate: today,
      arrivalAt: `${today}T11:00:00Z`,
      departureAt: `${today}T16:00:00Z`,
      primaryGuest: { name: guestName(60) },
    });
  }

  /** A room out of order with its repair, and one that the owner uses. */
  private async addBlocks(caller: Caller, propertyId: string, broken: string, lent: string): Promise<void> {
    const repair = { name: 'Repair the air conditioning', type: 'maintenance' as const, priority: 'high' as const };
    const { id: taskId } = await this.tasks.create(caller, { ...repair, propertyId, unitId: broken });
    const until = { from: day(0), until: day(4) };
    await this.blocks.create(caller, { propertyId, unitId: broken, kind: 'out_of_order', taskId, ...until });
    await this.blocks.create(caller, {
      propertyId,
      unitId: lent,
      kind: 'owner_use',
      from: day(9),
      until: day(12),
      reason: 'Family of the owner',
    });
  }
}
