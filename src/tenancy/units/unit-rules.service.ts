import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { Followers } from '../followers/followers.js';
import { unitConnectsToItself, unitInUse, unitNotFound } from '../properties/properties.errors.js';
import { PropertiesService } from '../properties/properties.service.js';
import { dayIn } from '../stays/local-moments.js';
import { NightsRepository } from '../stays/nights.repository.js';
import { StaysRepository } from '../stays/stays.repository.js';
import { unitTypeIsFull } from '../unit-types/unit-types.errors.js';
import { UnitTypesService } from '../unit-types/unit-types.service.js';
import type { UpdateUnit } from './unit.dto.js';
import type { Unit } from './unit.entity.js';
import { UnitsRepository } from './units.repository.js';

/** What a unit may name, and what keeps it from being archived or from getting another type. */
@Injectable()
export class UnitRules {
  constructor(
    private readonly units: UnitsRepository,
    private readonly properties: PropertiesService,
    private readonly unitTypes: UnitTypesService,
    private readonly stays: StaysRepository,
    private readonly nights: NightsRepository,
    private readonly followers: Followers,
  ) {}

  /** The type and the neighbours that a unit names must be of its property; a neighbour that it has already may stay. */
  async refuseUnknown(
    orgId: string,
    { propertyId, unitId, unitTypeId, connectsTo = [] }: Partial<UpdateUnit> & { propertyId: string },
  ): Promise<void> {
    if (unitTypeId) await this.unitTypes.usable(orgId, propertyId, unitTypeId);
    if (unitId && connectsTo.includes(unitId)) throw unitConnectsToItself();
    if ((await this.units.countOf(orgId, propertyId, connectsTo)) < connectsTo.length) throw unitNotFound();
  }

  /** @throws conflict_error while future stays, other features or the stays of its type need the unit. */
  async refuseArchiving(caller: Caller, unit: Unit): Promise<void> {
    const place = { propertyId: unit.propertyId, unitId: unit.id };
    const stays = await this.stays.toCome(caller.orgId, place);
    if (stays.length > 0) throw unitInUse(stays);
    await this.followers.refuseArchiving(caller.orgId, place);
    await this.refuseOverfull(caller, unit);
  }

  /** @throws conflict_error if the stays of its type need the unit on some night from today on. */
  async refuseOverfull(caller: Caller, { propertyId, unitTypeId, id }: Unit): Promise<void> {
    if (!unitTypeId) return;
    const { timezone } = await this.properties.get(caller, propertyId);
    const change = { unitTypeId, from: dayIn(timezone), until: null, lost: id, more: 0 };
    const nights = await this.nights.overfull(caller.orgId, propertyId, change);
    if (nights.length > 0) throw unitTypeIsFull(unitTypeId, nights);
  }
}
