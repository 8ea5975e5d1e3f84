import { Injectable } from '@nestjs/common';
import { type Caller, expectVersion } from '#access';
import type { Page } from '#operations';
import { newId, violates } from '#persistence';
import type { ChangeType } from '../../platform/events/event-type.js';
import { EventsService } from '../../platform/events/events.service.js';
import { propertyIsArchived } from '../properties/properties.errors.js';
import { PropertiesService } from '../properties/properties.service.js';
import { unreferred } from '../references/external-ref.dto.js';
import { References } from '../references/references.service.js';
import { StaysRepository } from '../stays/stays.repository.js';
import type { CreateUnitType, ListUnitTypes, ThisUnitType, UpdateUnitType } from './unit-type.dto.js';
import { UnitType } from './unit-type.entity.js';
import { unitTypeCodeTaken, unitTypeInUse, unitTypeIsArchived, unitTypeNotFound } from './unit-types.errors.js';
import { unitTypeArchived, unitTypeCreated, type UnitTypeEventData, unitTypeUpdated } from './unit-types.events.js';
import { UnitTypesRepository } from './unit-types.repository.js';

@Injectable()
export class UnitTypesService {
  constructor(
    private readonly unitTypes: UnitTypesRepository,
    private readonly properties: PropertiesService,
    private readonly stays: StaysRepository,
    private readonly references: References,
    private readonly events: EventsService,
  ) {}

  async create(caller: Caller, { propertyId, externalRefs, ...input }: CreateUnitType): Promise<UnitType> {
    const property = await this.properties.get(caller, propertyId);
    if (property.archivedAt) throw propertyIsArchived();
    const now = new Date().toISOString();
    const id = newId('unittype');
    const unitType = Object.assign(new UnitType(), {
      code: null,
      capacity: null,
      bedConfiguration: null,
      tags: [],
      sortOrder: 0,
      ...input,
      externalRefs: (await this.references.merged(caller, 'unit_type', unreferred(id), externalRefs)) ?? [],
      orgId: caller.orgId,
      id,
      propertyId,
      archivedAt: null,
      version: 1,
      createdAt: now,
      updatedAt: now,
    });
    await this.unlessCodeTaken(input.code, () => this.unitTypes.insert(unitType));
    this.events.record(caller, unitTypeCreated, unitType);
    return unitType;
  }

  async list(caller: Caller, input: ListUnitTypes): Promise<Page<UnitType>> {
    await this.properties.get(caller, input.propertyId);
    await this.references.admit(caller, input);
    return await this.unitTypes.list(caller.orgId, input);
  }

  async get(caller: Caller, input: ThisUnitType): Promise<UnitType> {
    await this.properties.get(caller, input.propertyId);
    return await this.find(caller.orgId, input);
  }

  async getAny(caller: Caller, unitTypeId: string): Promise<UnitType> {
    const unitType = await this.unitTypes.findAny(caller, unitTypeId);
    if (!unitType) throw unitTypeNotFound();
    return unitType;
  }

  /** A type that units can have and stays can be sold as: of this property and not archived, until the transaction ends. */
  async usable(orgId: string, propertyId: string, unitTypeId: string): Promise<UnitType> {
    return refuseUnusableType((await this.locked(orgId, [unitTypeId]))[0], propertyId);
  }

  /** Unit types that stay as they are until the transaction ends. */
  async locked(orgId: string, unitTypeIds: readonly string[]): Promise<UnitType[]> {
    return unitTypeIds.length > 0 ? await this.unitTypes.findLocked(orgId, [...new Set(unitTypeIds)]) : [];
  }

  async update(
    caller: Caller,
    { propertyId, unitTypeId, externalRefs: given, ...input }: UpdateUnitType,
  ): Promise<UnitType> {
    const unitType = await this.forChange(caller, { propertyId, unitTypeId });
    const changes = { ...input, externalRefs: await this.references.merged(caller, 'unit_type', unitType, given) };
    return await this.write(caller, unitType, changes, unitTypeUpdated);
  }

  async write(
    caller: Caller,
    unitType: UnitType,
    changes: Partial<UnitType>,
    happened: ChangeType<UnitTypeEventData>,
  ): Promise<UnitType> {
    const code = 'archivedAt' in changes ? unitType.code : changes.code;
    const before = await this.unlessCodeTaken(code, () => this.unitTypes.update(unitType, changes));
    this.events.record(caller, happened, unitType, before);
    return unitType;
  }

  async archive(caller: Caller, { propertyId, unitTypeId }: ThisUnitType): Promise<UnitType> {
    const unitType = await this.forChange(caller, { propertyId, unitTypeId });
    if (unitType.archivedAt) return unitType;
    const units = await this.unitTypes.unitsOf(unitType);
    const stays = await this.stays.toCome(caller.orgId, { propertyId, unitTypeId });
    if (units.length > 0 || stays.length > 0) throw unitTypeInUse(units, stays);
    return await this.write(caller, unitType, { archivedAt: new Date().toISOString() }, unitTypeArchived);
  }

  async restore(caller: Caller, { propertyId, unitTypeId }: ThisUnitType): Promise<UnitType> {
    const property = await this.properties.get(caller, propertyId);
    if (property.archivedAt) throw propertyIsArchived();
    const unitType = await this.forChange(caller, { propertyId, unitTypeId });
    return await this.write(caller, unitType, { archivedAt: null }, unitTypeUpdated);
  }

  async forChange(caller: Caller, input: ThisUnitType): Promise<UnitType> {
    await this.properties.get(caller, input.propertyId);
    const unitType = await this.find(caller.orgId, input, 'for no key update');
    expectVersion(caller, unitType);
    return unitType;
  }

  private async find(orgId: string, input: ThisUnitType, tail = ''): Promise<UnitType> {
    const unitType = await this.unitTypes.find(orgId, input, tail);
    if (!unitType) throw unitTypeNotFound();
    return unitType;
  }

  private async unlessCodeTaken<T>(code: string | null | undefined, write: () => Promise<T>): Promise<T> {
    try {
      return await write();
    } catch (error) {
      if (code && violates(error, 'unit_types_by_code')) throw unitTypeCodeTaken(code);
      throw error;
    }
  }
}

/** @throws not_found_error or conflict_error for a type that no stay at the property can be sold as. */
export function refuseUnusableType(unitType: UnitType | undefined, propertyId: string): UnitType {
  if (unitType?.propertyId !== propertyId) throw unitTypeNotFound();
  if (unitType.archivedAt) throw unitTypeIsArchived();
  return unitType;
}
