import { Injectable } from '@nestjs/common';
import { type Caller, may } from '#access';
import type { Option } from '../../../tenancy/stays/explanation.dto.js';
import { FreeUnits } from '../../../tenancy/units/free-units.service.js';
import { isDayUse, needsOf } from '../occupancy.js';
import { Reservation } from '../reservation.entity.js';
import { StayPlaces } from '../stay-places.js';
import { isLive, isPlacedElsewhere, soldAs } from '../stay-rules.js';

const mostStays = 2;

/** How other stays could make way, if their guests have not come: in another unit of their type, or in none for now. */
@Injectable()
export class OtherStays {
  constructor(
    private readonly places: StayPlaces,
    private readonly freeUnits: FreeUnits,
  ) {}

  /** None where one of them stays in the way, or the caller may not move them. */
  async makingWay(caller: Caller, stays: readonly Reservation[]): Promise<Option[]> {
    if (stays.length > mostStays || !stays.every(isMovable) || !may(caller, 'reservations:write')) return [];
    const ways: Option[][] = [];
    for (const stay of stays) ways.push(await this.waysFor(stay));
    return ways.every((some) => some.length > 0) ? ways.flat() : [];
  }

  private async waysFor(stay: Reservation): Promise<Option[]> {
    const { orgId, id: reservationId } = stay;
    const unitTypeId = soldAs(stay);
    if (!unitTypeId) return [];
    const fits = async (unitId: string | null): Promise<boolean> =>
      !(await this.places.clashOf(Object.assign(new Reservation(), stay, { unitId, unitTypeId, rooms: [] }), stay));
    const [unit] = await this.freeUnits.best(orgId, { ...needsOf(stay), unitTypeId, limit: 1 });
    const moved = unit && (await fits(unit.id));
    return [
      ...(moved
        ? [
            {
              description: `Give ${reservationId} ${unit.name} instead, which is free ${isDayUse(stay) ? 'during its hours' : 'on its nights'}.`,
              operation: 'assignUnit',
              input: { reservationId, unitId: unit.id },
            },
          ]
        : []),
      ...((await fits(null))
        ? [
            {
              description: `Take the unit from ${reservationId}, which can get another unit later.`,
              operation: 'unassignUnit',
              input: { reservationId },
            },
          ]
        : []),
    ];
  }
}

const isMovable = (stay: Reservation): boolean =>
  stay.unitId !== null && stay.stayStatus === 'not_arrived' && isLive(stay) && !isPlacedElsewhere(stay);
