import { Injectable } from '@nestjs/common';
import type { Option } from '../../../tenancy/stays/explanation.dto.js';
import type { WantedNights } from '../../../tenancy/units/free-units.repository.js';
import { FreeUnits } from '../../../tenancy/units/free-units.service.js';
import type { Unit } from '../../../tenancy/units/unit.entity.js';
import { inAnotherRoom } from '../occupancy.js';
import { Reservation } from '../reservation.entity.js';
import { StayPlaces } from '../stay-places.js';

type WantedPlace = Omit<WantedNights, 'unitTypeId'> & Pick<Reservation, 'orgId' | 'unitTypeId'>;

const mostUnits = 3;

/** Units that would do instead of the one that a stay cannot have. */
@Injectable()
export class OtherRooms {
  constructor(
    private readonly places: StayPlaces,
    private readonly units: FreeUnits,
  ) {}

  /**
   * Tries free units of the wanted type, and of any where that one has none that will do.
   *
   * @param tries whether a unit will do.
   */
  async eachFree(
    { orgId, unitTypeId, ...wanted }: WantedPlace,
    tries: (unit: Unit) => Promise<boolean>,
  ): Promise<void> {
    for (const type of unitTypeId ? [unitTypeId, undefined] : [undefined]) {
      const units = await this.units.best(orgId, { ...wanted, unitTypeId: type, limit: mostUnits });
      let isFound = false;
      for (const unit of units) isFound = (await tries(unit)) || isFound;
      if (isFound) return;
    }
  }

  /** Rooms for guests in house, from the first of these nights on for which there are any. */
  async inHouse(wanted: Reservation, before: Reservation, nights: readonly string[]): Promise<Option[]> {
    for (const from of nights) {
      const options = await this.inHouseFrom(wanted, before, from);
      if (options.length > 0) return options;
    }
    return [];
  }

  private async inHouseFrom(wanted: Reservation, before: Reservation, from: string): Promise<Option[]> {
    const options: Option[] = [];
    const { orgId, propertyId, checkOutDate, departureAt } = wanted;
    const { unitTypeId } = wanted.rooms.at(-1) ?? wanted;
    await this.eachFree({ orgId, propertyId, unitTypeId, from, until: checkOutDate }, async (unit) => {
      const { changes } = inAnotherRoom(
        before,
        { unitId: unit.id, unitTypeId: unit.unitTypeId },
        { from, today: from },
      );
      const moved = Object.assign(new Reservation(), before, { checkOutDate, departureAt }, changes);
      if (await this.places.clashOf(moved, before)) return false;
      const longer = checkOutDate === before.checkOutDate ? {} : { checkOutDate };
      const input = { reservationId: before.id, unitId: unit.id, from, ...longer };
      const description = `Move to ${unit.name} on ${from}, which is free from then on.`;
      return options.push({ description, operation: 'moveReservation', input }) > 0;
    });
    return options;
  }
}
