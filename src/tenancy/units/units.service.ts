import { Injectable } from '@nestjs/common';
import { type Caller, expectVersion } from '#access';
import { merging, type Page } from '#operations';
import { EventsService } from '../../platform/events/events.service.js';
import type { Originator } from '../../platform/events/originator.js';
import type { CleaningStatus } from '../properties/property.dto.js';
import type { ChangeType } from '../../platform/events/event-type.js';
import {
  unitArchived,
  unitCreated,
  type UnitEventData,
  unitRestored,
  unitStatusSet,
  unitUpdated,
} from './units.events.js';
import { propertyIsArchived, unitIsArchived, unitNotFound } from '../properties/properties.errors.js';
import { PropertiesService } from '../properties/properties.service.js';
import { nextHour } from '../stays/local-moments.js';
import { MovedStaysRepository } from '../stays/moved-stays.repository.js';
import { Followers } from '../followers/followers.js';
import { ReadinessRepository } from '../readiness/readiness.repository.js';
import { unreferred } from '../references/external-ref.dto.js';
import { References } from '../references/references.service.js';
import type { CreateUnit, ListAllUnits, ListUnits, SetUnitStatus, ThisUnit, UpdateUnit } from './unit.dto.js';
import { newUnit, type Unit } from './unit.entity.js';
import { UnitRules } from './unit-rules.service.js';
import { UnitsRepository } from './units.repository.js';

@Injectable()
export class UnitsService {
  constructor(
    private readonly units: UnitsRepository,
    private readonly properties: PropertiesService,
    private readonly rules: UnitRules,
    private readonly movedStays: MovedStaysRepository,
    private readonly followers: Followers,
    private readonly readiness: ReadinessRepository,
    private readonly references: References,
    private readonly events: EventsService,
  ) {}

  async create(caller: Caller, { propertyId, externalRefs, ...input }: CreateUnit): Promise<Unit> {
    if (input.unitTypeId) await this.properties.lock(caller, [propertyId]);
    const property = await this.properties.get(caller, propertyId);
    if (property.archivedAt) throw propertyIsArchived();
    await this.rules.refuseUnknown(caller.orgId, { propertyId, ...input });
    const unit = newUnit(caller.orgId, { propertyId, ...input });
    unit.externalRefs = (await this.references.merged(caller, 'unit', unreferred(unit.id), externalRefs)) ?? [];
    await this.units.insert(unit);
    this.events.record(caller, unitCreated, unit);
    await this.typeChanged(caller, unit, false);
    return await this.shown(unit);
  }

  async list(caller: Caller, input: ListUnits): Promise<Page<Unit>> {
    await this.properties.get(caller, input.propertyId);
    await this.references.admit(caller, input);
    return await this.shownPage(caller, await this.units.list(caller.orgId, input));
  }

  async listAll(caller: Caller, input: ListAllUnits): Promise<Page<Unit>> {
    if (input.propertyId) await this.properties.get(caller, input.propertyId);
    await this.references.admit(caller, input);
    return await this.shownPage(caller, await this.units.listAll(caller, input));
  }

  async get(caller: Caller, { propertyId, unitId }: ThisUnit): Promise<Unit> {
    await this.properties.get(caller, propertyId);
    const unit = await this.units.find(caller.orgId, propertyId, unitId);
    if (!unit) throw unitNotFound();
    return await this.shown(unit);
  }

  async getAny(caller: Caller, unitId: string): Promise<Unit> {
    const unit = await this.units.findAny(caller, unitId);
    if (!unit) throw unitNotFound();
    return await this.shown(unit);
  }

  /** A unit that can be booked and worked at: of this property and not archived, until the transaction ends. */
  async usable(orgId: string, propertyId: string, unitId: string): Promise<Unit> {
    return refuseUnusableUnit((await this.locked(orgId, [unitId]))[0], propertyId);
  }

  /** Units that stay as they are until the transaction ends. */
  async locked(orgId: string, unitIds: readonly string[]): Promise<Unit[]> {
    return unitIds.length > 0 ? await this.units.findLocked(orgId, [...new Set(unitIds)]) : [];
  }

  /** The status of a unit after a block, even where room state does not follow work. */
  async comeBack(
    by: Originator,
    { orgId, propertyId, unitId }: ThisUnit & { orgId: string },
    cleaningStatus: CleaningStatus,
  ): Promise<void> {
    const unit = await this.units.findForChange(orgId, propertyId, unitId);
    if (unit) await this.write(by, unit, { cleaningStatus }, unitStatusSet);
  }

  /** The types of those units that have one. */
  typesOf(orgId: string, unitIds: readonly string[]): Promise<Map<string, string>> {
    return this.units.typesOf(orgId, unitIds);
  }

  /** The future stays in a unit take its new type along. */
  async update(caller: Caller, { propertyId, unitId, externalRefs: given, ...changes }: UpdateUnit): Promise<Unit> {
    if (changes.unitTypeId !== undefined) await this.properties.lock(caller, [propertyId]);
    const unit = await this.forChange(caller, { propertyId, unitId });
    await this.rules.refuseUnknown(caller.orgId, { propertyId, unitId, ...changes });
    const { unitTypeId: former } = unit;
    const isRetyped = changes.unitTypeId !== undefined && changes.unitTypeId !== former;
    if (isRetyped) await this.rules.refuseOverfull(caller, unit);
    const externalRefs = await this.references.merged(caller, 'unit', unit, given);
    const changed = await this.write(caller, unit, { ...changes, externalRefs }, unitUpdated);
    if (isRetyped) {
      await this.followers.staysChanged(caller, await this.movedStays.followUnit(unit));
      await this.typeChanged(caller, unit, true);
      await this.typeChanged(caller, { propertyId, unitTypeId: former }, false);
    }
    return changed;
  }

  /** The flags of guests are for the day, as the clocks of the property say. */
  async setStatus(caller: Caller, { propertyId, unitId, cleaningStatus, ...flags }: SetUnitStatus): Promise<Unit> {
    const { timezone } = await this.properties.get(caller, propertyId);
    const unit = await this.forChange(caller, { propertyId, unitId });
    const until = (flag: boolean | undefined, soFar: string | null, isSet: boolean): string | null => {
      if (flag === undefined || flag === isSet) return soFar;
      return flag ? nextHour(0, timezone) : null;
    };
    const changes = {
      cleaningStatus,
      doNotDisturbUntil: until(flags.doNotDisturb, unit.doNotDisturbUntil, unit.doNotDisturb),
      makeUpRoomUntil: until(flags.makeUpRoom, unit.makeUpRoomUntil, unit.makeUpRoom),
    };
    return await this.write(caller, unit, changes, unitStatusSet);
  }

  async archive(caller: Caller, { propertyId, unitId }: ThisUnit): Promise<Unit> {
    await this.properties.lock(caller, [propertyId]);
    const unit = await this.forChange(caller, { propertyId, unitId });
    if (unit.archivedAt) return await this.shown(unit);
    await this.rules.refuseArchiving(caller, unit);
    const archived = await this.write(caller, unit, { archivedAt: new Date().toISOString() }, unitArchived);
    await this.typeChanged(caller, unit, false);
    return archived;
  }

  async restore(caller: Caller, { propertyId, unitId }: ThisUnit): Promise<Unit> {
    await this.properties.lock(caller, [propertyId]);
    const unit = await this.forChange(caller, { propertyId, unitId });
    if (!unit.archivedAt) return await this.shown(unit);
    if ((await this.properties.get(caller, propertyId)).archivedAt) throw propertyIsArchived();
    const restored = await this.write(caller, unit, { archivedAt: null }, unitRestored);
    await this.typeChanged(caller, unit, true);
    return restored;
  }

  private async typeChanged(
    caller: Caller,
    { propertyId, unitTypeId }: Pick<Unit, 'propertyId' | 'unitTypeId'>,
    hasMoreStays: boolean,
  ): Promise<void> {
    if (!unitTypeId) return;
    const { timezone } = await this.properties.get(caller, propertyId);
    await this.followers.typeChanged(caller, { propertyId, unitTypeId, timezone, hasMoreStays });
  }

  private async write(
    caller: Originator,
    unit: Unit,
    changes: Partial<Unit>,
    happened: ChangeType<UnitEventData>,
  ): Promise<Unit> {
    const before = await this.units.update(unit, merging(unit, changes));
    this.events.record(caller, happened, unit, before);
    return await this.shown(unit);
  }

  private async shown(unit: Unit): Promise<Unit> {
    await this.readiness.note(unit.orgId, [unit]);
    return unit;
  }

  private async shownPage({ orgId }: Caller, page: Page<Unit>): Promise<Page<Unit>> {
    await this.readiness.note(orgId, page.items);
    return page;
  }

  private async forChange(caller: Caller, { propertyId, unitId }: ThisUnit): Promise<Unit> {
    await this.properties.get(caller, propertyId);
    const unit = await this.units.findForChange(caller.orgId, propertyId, unitId);
    if (!unit) throw unitNotFound();
    expectVersion(caller, unit);
    return unit;
  }
}

/** @throws not_found_error or conflict_error for a unit of the property in which nobody can stay or work. */
export function refuseUnusableUnit(unit: Unit | undefined, propertyId: string): Unit {
  if (unit?.propertyId !== propertyId) throw unitNotFound();
  if (unit.archivedAt) throw unitIsArchived();
  return unit;
}
