import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import type { Sections } from '#operations';
import { PropertiesService } from '../../../tenancy/properties/properties.service.js';
import { type Nights, NightsRepository } from '../../../tenancy/stays/nights.repository.js';
import type { UnitType } from '../../../tenancy/unit-types/unit-type.entity.js';
import { UnitTypesService } from '../../../tenancy/unit-types/unit-types.service.js';
import { noNightAsked, stayTooLong } from '../reservations.errors.js';
import { longestNights, nightsBetween } from '../stay-times.js';
import type { AvailabilityView, GetAvailability, TypeAvailability } from './availability.dto.js';

/** What can be booked, by the rules that accept or reject a new stay. */
@Injectable()
export class Availability {
  constructor(
    private readonly properties: PropertiesService,
    private readonly unitTypes: UnitTypesService,
    private readonly nights: NightsRepository,
  ) {}

  async get(caller: Caller, { from, until, ...types }: GetAvailability): Promise<Sections<AvailabilityView>> {
    const { propertyId } = types;
    const { archivedAt } = await this.properties.get(caller, propertyId);
    const nights = nightsBetween({ checkInDate: from, checkOutDate: until });
    if (nights <= 0) throw noNightAsked();
    if (nights > longestNights) throw stayTooLong();
    const { isSold, isFree } = await this.nights.whole(caller.orgId, propertyId, { from, until });
    const { items, limit, nextCursor } = await this.unitTypes.list(caller, { ...types, sort: 'sortOrder' });
    const unitTypes: TypeAvailability[] = [];
    for (const type of items) {
      const free = isSold || archivedAt ? 0 : await this.freeOf(type, { from, until });
      unitTypes.push({ unitTypeId: type.id, name: type.name, units: type.unitCount, free });
    }
    const wholeProperty = isFree && !archivedAt;
    return { record: { propertyId, from, until, wholeProperty, unitTypes }, limit, nextCursor };
  }

  private async freeOf({ orgId, propertyId, id }: UnitType, asked: Nights): Promise<number> {
    const nights = await this.nights.ofType(orgId, propertyId, id, asked);
    return Math.max(0, Math.min(...nights.map(({ units, taken }) => units - taken)));
  }
}
