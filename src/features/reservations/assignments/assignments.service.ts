import { Injectable } from '@nestjs/common';
import { type Caller, may } from '#access';
import type { Page } from '#operations';
import { PropertiesService } from '../../../tenancy/properties/properties.service.js';
import { dayIn, momentAt } from '../../../tenancy/stays/local-moments.js';
import type { Unit } from '../../../tenancy/units/unit.entity.js';
import { FreeUnits } from '../../../tenancy/units/free-units.service.js';
import { dayOf, inAnotherRoom, isDayUse } from '../occupancy.js';
import type { Reservation } from '../reservation.entity.js';
import { unitAssigned, unitUnassigned } from '../reservations.events.js';
import {
  cannotMove,
  noHoursAsked,
  ownedByProvider,
  reservationNotFound,
  stayIs,
  unitOfAnotherType,
  unitWithoutType,
} from '../reservations.errors.js';
import { StayChanges } from '../stay-changes.service.js';
import { CrowdedPlaces } from '../overlaps/crowded-places.service.js';
import { StayPlaces } from '../stay-places.js';
import { isLive, isPlacedElsewhere, soldAs, stateOf } from '../stay-rules.js';
import type { AssignUnit, ListAvailableUnits } from './assignment.dto.js';

/** Which unit a stay gets that was sold as a unit type. */
@Injectable()
export class Assignments {
  constructor(
    private readonly changes: StayChanges,
    private readonly places: StayPlaces,
    private readonly crowded: CrowdedPlaces,
    private readonly properties: PropertiesService,
    private readonly freeUnits: FreeUnits,
  ) {}

  async assign(caller: Caller, { reservationId, unitId, force = false }: AssignUnit): Promise<Reservation> {
    const stay = await this.forAssignment(caller, reservationId);
    return await this.give(caller, stay, unitId, force);
  }

  /**
   * Gives a locked stay a unit; guests in house have had their room until today. The type that was sold stays known, whatever
   * the type of the unit.
   */
  async give(caller: Caller, stay: Reservation, unitId: string, force = false): Promise<Reservation> {
    const { property, place } = await this.places.usable(caller, { propertyId: stay.propertyId, unitId });
    const sold = soldAs(stay);
    if (!force && place.unitTypeId !== sold) throw unitOfAnotherType(place.unitTypeId, sold);
    if (stay.stayStatus === 'checked_in' && stay.unitId) {
      const today = dayIn(property.timezone);
      const { from, left, changes } = inAnotherRoom(stay, place, { from: today, today });
      if (left.unitId === unitId) return stay;
      return await this.changes.change(
        caller,
        stay,
        { ...changes, bookedUnitTypeId: sold },
        { happened: unitAssigned, leftRoom: { ...left, at: new Date().toISOString() }, roomFrom: from },
      );
    }
    const changes = { ...place, bookedUnitTypeId: sold, rooms: [], nextRoomFrom: null };
    return await this.changes.change(caller, stay, changes, { happened: unitAssigned });
  }

  async unassign(caller: Caller, reservationId: string): Promise<Reservation> {
    const stay = await this.forAssignment(caller, reservationId);
    if (stay.stayStatus !== 'not_arrived') throw stayIs(stay.stayStatus, 'not_arrived');
    const unitTypeId = soldAs(stay);
    if (!unitTypeId) throw unitWithoutType();
    await this.places.usable(caller, { propertyId: stay.propertyId, unitTypeId });
    const changes = { unitId: null, unitTypeId, rooms: [], nextRoomFrom: null };
    return await this.changes.change(caller, stay, changes, { happened: unitUnassigned });
  }

  /**
   * Takes the units from locked stays of a property for a block, even if their types have no other ones left: as their
   * nights may be too many then, they are exempt, and flagged while they are.
   */
  async takeBack(caller: Caller, propertyId: string, stays: readonly Reservation[]): Promise<void> {
    const bySold = Map.groupBy(stays, soldAs);
    await this.changes.changeAll(
      caller,
      [...bySold].flatMap(([unitTypeId, sold]) => {
        if (!unitTypeId) throw unitWithoutType();
        const changes = { unitId: null, unitTypeId, rooms: [], nextRoomFrom: null };
        return sold.map((stay) => ({ stay, changes, happened: unitUnassigned }));
      }),
    );
    for (const [unitTypeId, sold] of bySold) {
      const [from] = sold.map(({ checkInDate }) => checkInDate).sort() as [string];
      const until = sold
        .map((stay) => (isDayUse(stay) ? dayOf(stay).until : stay.checkOutDate))
        .sort()
        .at(-1) as string;
      await this.crowded.check(caller, { propertyId, unitTypeId, from, until, onlyFlagged: false });
    }
  }

  async available(caller: Caller, input: ListAvailableUnits): Promise<Page<Unit>> {
    const { timezone } = await this.properties.get(caller, input.propertyId);
    const { from, until, fromTime, untilTime, reservationId: except, ...asked } = input;
    // Which units are free for a stay says where the stay is.
    if (except && !may(caller, 'reservations:read')) throw reservationNotFound();
    const stay = except ? await this.changes.get(caller, except) : undefined;
    const own = stay?.checkInDate === from ? stay : undefined;
    const arrivalAt = fromTime ? momentAt(from, fromTime, timezone) : own?.arrivalAt;
    const endsAt = own && isDayUse(own) ? own.departureAt : undefined;
    const departureAt = untilTime ? momentAt(from, untilTime, timezone) : endsAt;
    // As moments: clocks that go forward leave out an hour.
    const isForHours = until === from && arrivalAt && departureAt && arrivalAt < departureAt;
    if (!isForHours && (until <= from || untilTime)) throw noHoursAsked();
    const hours = isForHours ? { from: arrivalAt, until: departureAt } : undefined;
    return await this.freeUnits.list(caller.orgId, { ...asked, from, until, except, arrivalAt, hours });
  }

  private async forAssignment(caller: Caller, reservationId: string): Promise<Reservation> {
    const stay = await this.changes.forChange(caller, reservationId);
    if (isPlacedElsewhere(stay)) throw ownedByProvider(['unitId']);
    if (!isLive(stay)) throw cannotMove(stateOf(stay));
    return stay;
  }
}
