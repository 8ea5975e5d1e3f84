import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { propertyIsArchived } from '../organizations/properties.errors.js';
import { PropertiesService } from '../organizations/properties.service.js';
import type { Property } from '../organizations/property.entity.js';
import { UnitsService } from '../organizations/units.service.js';

/** Where stays can be. */
@Injectable()
export class StayPlaces {
  constructor(
    private readonly properties: PropertiesService,
    private readonly units: UnitsService,
  ) {}

  /** @throws not_found_error or conflict_error where nobody can stay there. */
  async usable(caller: Caller, propertyId: string, unitId: string | null): Promise<Property> {
    const property = await this.properties.get(caller, propertyId);
    if (property.archivedAt) throw propertyIsArchived();
    if (unitId) await this.units.usable(caller.orgId, propertyId, unitId);
    return property;
  }
}
