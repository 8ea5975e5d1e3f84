import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { EventsService } from '../../platform/events/events.service.js';
import type { Originator } from '../../platform/events/originator.js';
import type { StayChange, StayFollower } from '../followers/followers.js';
import { propertyStatusSet } from '../properties/properties.events.js';
import type { CleaningStatus } from '../properties/property.dto.js';
import { ReadinessRepository } from '../readiness/readiness.repository.js';
import { unitStatusSet } from '../units/units.events.js';
import { type Room, RoomsRepository } from './rooms.repository.js';

/** Keeps the state of rooms in step with stays and work, at the properties that want it. */
@Injectable()
export class RoomState implements StayFollower {
  constructor(
    private readonly rooms: RoomsRepository,
    private readonly readiness: ReadinessRepository,
    private readonly events: EventsService,
  ) {}

  lockFor({ orgId }: Caller, changes: readonly StayChange[]): Promise<void> {
    return this.lock(orgId, changes.flatMap(roomsLeftIn));
  }

  /**
   * Guests who check out or move to another room leave theirs dirty, and without their flags. If they go back before they have
   * slept in it, only their flags end.
   */
  async followStays(caller: Caller, changes: readonly StayChange[]): Promise<void> {
    for (const [isUsed, some] of Map.groupBy(changes, ({ leftRoom }) => leftRoom?.backIn === undefined)) {
      const left = some.flatMap(roomsLeftIn);
      if (left.length > 0) await this.set(caller, left, 'dirty', { areLeft: true, isUsed });
    }
  }

  /** Locks rooms that are about to be set; call it before a task in them is locked, as bookings lock in this order. */
  async lock(orgId: string, rooms: readonly Room[]): Promise<void> {
    if (rooms.length > 0) await this.rooms.lock(orgId, rooms);
  }

  /**
   * Sets the status of rooms, where the property wants it and no person has taken the room out of use.
   *
   * @param how whether guests have left the rooms, and have used them.
   */
  async set(
    by: Originator,
    rooms: readonly Room[],
    status: CleaningStatus,
    how?: { areLeft: boolean; isUsed: boolean },
  ): Promise<void> {
    const { orgId } = by;
    if (rooms.some(({ unitId }) => !unitId)) {
      await this.rooms.lock(orgId, rooms);
      const properties = await this.rooms.setProperties(orgId, rooms, status);
      await this.readiness.note(
        orgId,
        properties.map(({ after }) => after),
      );
      await this.events.recordAll(by, properties, () => propertyStatusSet);
    }
    await this.events.recordAll(by, await this.rooms.setUnits(orgId, rooms, status, how), () => unitStatusSet);
  }
}

function roomsLeftIn({ stay, before }: StayChange): Room[] {
  if (before?.stayStatus !== 'checked_in') return [];
  const hasLeft = stay.stayStatus === 'checked_out' || (before.unitId && before.unitId !== stay.unitId);
  if (!hasLeft || stay.stayStatus === 'not_arrived') return [];
  const { propertyId, unitId } = before;
  return [{ propertyId, unitId, withUnits: unitId === null }];
}
