import { Injectable } from '@nestjs/common';
import { invalidField } from '#errors';
import { type Saved, readInput } from '#operations';
import { RecordLocks } from '../../../tenancy/followers/record-locks.service.js';
import { organizationWide } from '../../../tenancy/properties/property-limit.errors.js';
import { PropertiesService } from '../../../tenancy/properties/properties.service.js';
import { CreateProperty, type PropertyView } from '../../../tenancy/properties/property.dto.js';
import { CreateUnitType, type UnitTypeView } from '../../../tenancy/unit-types/unit-type.dto.js';
import { UnitTypesService } from '../../../tenancy/unit-types/unit-types.service.js';
import { CreateUnit, type UnitView } from '../../../tenancy/units/unit.dto.js';
import { UnitsService } from '../../../tenancy/units/units.service.js';
import type { Connection } from '../../connections/connection.entity.js';
import { newMetadata, refuseBeyond } from '../new-records.js';
import type { Saver } from '../saves-by-reference.service.js';
import type { PropertyContent, UnitContent, UnitTypeContent } from './places.dto.js';

/** How properties, unit types and units are saved under the ids of another system. */
@Injectable()
export class PlaceSavers {
  constructor(
    private readonly propertiesService: PropertiesService,
    private readonly unitTypesService: UnitTypesService,
    private readonly unitsService: UnitsService,
    private readonly locks: RecordLocks,
  ) {}

  readonly properties: Saver<PropertyContent, PropertyView> = {
    resource: 'property',
    get: (caller, id) => this.propertiesService.show(caller, id),
    prepare: (caller, _contents, _names, property) => this.locks.lock(caller, { property }),
    create: async (caller, connection, content) => {
      if (caller.propertyIds) throw organizationWide();
      refuseBeyond(connection, 'a new one', 'externalId');
      const input = readInput(CreateProperty, { ...content, ...newMetadata(content) });
      return await this.propertiesService.create(caller, input);
    },
    reinstate: async (caller, connection, propertyId) => {
      refuseBeyond(connection, propertyId, 'externalId');
      const { archivedAt } = await this.propertiesService.get(caller, propertyId);
      if (archivedAt) await this.propertiesService.restore(caller, propertyId);
      return archivedAt !== null;
    },
    change: async (caller, connection, propertyId, changes) => {
      refuseBeyond(connection, propertyId, 'externalId');
      const before = await this.propertiesService.get(caller, propertyId);
      return outcomeOf(before, await this.propertiesService.update(caller, { ...changes, propertyId }));
    },
  };

  readonly unitTypes: Saver<UnitTypeContent, UnitTypeView> = {
    resource: 'unit_type',
    get: (caller, id) => this.unitTypesService.getAny(caller, id),
    prepare: (caller, _contents, _names, unit_type) => this.locks.lock(caller, { unit_type }),
    create: async (caller, connection, content) => {
      refuseBeyond(connection, content.propertyId);
      return await this.unitTypesService.create(caller, readInput(CreateUnitType, content));
    },
    reinstate: async (caller, connection, unitTypeId) => {
      const { archivedAt, propertyId } = await this.unitTypesService.getAny(caller, unitTypeId);
      refuseBeyond(connection, propertyId, 'externalId');
      if (archivedAt) await this.unitTypesService.restore(caller, { propertyId, unitTypeId });
      return archivedAt !== null;
    },
    change: async (caller, connection, unitTypeId, { propertyId, ...changes }) => {
      const before = await this.unitTypesService.getAny(caller, unitTypeId);
      staysAt(before, connection, propertyId);
      const place = { propertyId: before.propertyId, unitTypeId };
      return outcomeOf(before, await this.unitTypesService.update(caller, { ...changes, ...place }));
    },
  };

  readonly units: Saver<UnitContent, UnitView> = {
    resource: 'unit',
    get: (caller, id) => this.unitsService.getAny(caller, id),
    prepare: (caller, contents, names, unit) =>
      this.locks.lock(caller, { property: contents.flatMap((content) => names.propertyOf(content) ?? []), unit }),
    create: async (caller, connection, content) => {
      refuseBeyond(connection, content.propertyId);
      const input = readInput(CreateUnit, { ...content, ...newMetadata(content) });
      return await this.unitsService.create(caller, input);
    },
    reinstate: async (caller, connection, unitId) => {
      const { archivedAt, propertyId } = await this.unitsService.getAny(caller, unitId);
      refuseBeyond(connection, propertyId, 'externalId');
      if (archivedAt) await this.unitsService.restore(caller, { propertyId, unitId });
      return archivedAt !== null;
    },
    change: async (caller, connection, unitId, { propertyId, ...changes }) => {
      const before = await this.unitsService.getAny(caller, unitId);
      staysAt(before, connection, propertyId);
      const place = { propertyId: before.propertyId, unitId };
      return outcomeOf(before, await this.unitsService.update(caller, { ...changes, ...place }));
    },
  };
}

/** @throws validation_error for another property than the record's. */
function staysAt(record: { propertyId: string }, connection: Connection, propertyId: string | null | undefined): void {
  refuseBeyond(connection, record.propertyId, 'externalId');
  if (propertyId !== undefined && propertyId !== record.propertyId)
    throw invalidField(['propertyId'], 'It belongs to another property. Save it under another id.');
}

export const outcomeOf = <View extends { version: number }>(
  before: { version: number },
  record: View,
): Omit<Saved<View>, 'contentHash'> => ({
  record,
  outcome: record.version === before.version ? 'unchanged' : 'changed',
});
