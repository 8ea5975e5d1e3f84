import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { propertyIsArchived, propertyNotFound } from '../../tenancy/properties/properties.errors.js';
import { PropertiesService } from '../../tenancy/properties/properties.service.js';
import type { Property } from '../../tenancy/properties/property.entity.js';
import type { UnitType } from '../../tenancy/unit-types/unit-type.entity.js';
import { refuseUnusableType, UnitTypesService } from '../../tenancy/unit-types/unit-types.service.js';
import type { Unit } from '../../tenancy/units/unit.entity.js';
import { refuseUnusableUnit, UnitsService } from '../../tenancy/units/units.service.js';
import { NightsRepository, type Segment } from '../../tenancy/stays/nights.repository.js';
import { dayOf, isDayUse, nightsAdded, segmentsOf } from './occupancy.js';
import type { Reservation } from './reservation.entity.js';
import { type Clash, unitOfAnotherType } from './reservations.errors.js';
import { OverlapsRepository } from './overlaps/overlaps.repository.js';
import { isPlacedElsewhere, type Place } from './stay-rules.js';

export type AskedPlace = Partial<Place> & { propertyId: string };

export interface UsablePlace {
  property: Property;
  place: Place;
}

/** The properties, unit types and units that stays name. */
export interface KnownPlaces {
  properties: ReadonlyMap<string, Property>;
  unitTypes: ReadonlyMap<string, UnitType>;
  units: ReadonlyMap<string, Unit>;
}

/** Where stays can be, and what blocks the nights that they are to take there. */
@Injectable()
export class StayPlaces {
  constructor(
    private readonly properties: PropertiesService,
    private readonly units: UnitsService,
    private readonly unitTypes: UnitTypesService,
    private readonly overlaps: OverlapsRepository,
    private readonly nights: NightsRepository,
  ) {}

  /**
   * Locks properties until the transaction ends: everything else that takes or gives nights there waits, and so do
   * changes and archiving of the properties. Call this before locking a stay, with all properties together; everything
   * locks in this order, which prevents deadlocks.
   *
   * @throws not_found_error if the credential cannot see one of the properties.
   */
  lock(caller: Caller, propertyIds: readonly string[]): Promise<Property[]> {
    return this.properties.lock(caller, propertyIds);
  }

  /** The same for those of the properties that the credential can see. */
  async lockKnown(caller: Caller, propertyIds: readonly string[]): Promise<void> {
    await this.properties.lockKnown(caller, propertyIds);
  }

  /**
   * The place with the type of its unit.
   *
   * @throws not_found_error or conflict_error if nobody can stay there.
   */
  async usable(caller: Caller, asked: AskedPlace): Promise<UsablePlace> {
    return usableOf(await this.lookUp(caller, [asked]), asked);
  }

  /**
   * The place of a stay that comes back, with the type that its unit has now.
   *
   * @param day from which on the stay is there.
   * @throws not_found_error or conflict_error if nobody can stay there, or in a room that it is to move to.
   */
  async stillUsable(caller: Caller, { propertyId, rooms, ...stay }: Reservation, day: string): Promise<Place> {
    const { unitId, unitTypeId } = stay;
    const { place } = await this.usable(caller, { propertyId, unitId, ...(!unitId && { unitTypeId }) });
    for (const room of rooms) if (room.from > day) await this.usable(caller, { propertyId, unitId: room.unitId });
    return place;
  }

  /**
   * What is known of places, which stay as they are until the transaction ends: once for many stays.
   *
   * @param locked the properties, where the caller has locked them all.
   */
  async lookUp(caller: Caller, asked: readonly AskedPlace[], locked?: readonly Property[]): Promise<KnownPlaces> {
    const propertyIds = asked.map(({ propertyId }) => propertyId);
    const unitIds = asked.flatMap(({ unitId }) => unitId ?? []);
    const unitTypeIds = asked.flatMap(({ unitId, unitTypeId }) => (unitId ? [] : (unitTypeId ?? [])));
    const [properties, unitTypes, units] = await Promise.all([
      locked ?? this.properties.getMany(caller, propertyIds),
      this.unitTypes.locked(caller.orgId, unitTypeIds),
      this.units.locked(caller.orgId, unitIds),
    ]);
    return { properties: byId(properties), unitTypes: byId(unitTypes), units: byId(units) };
  }

  /**
   * What is in the way of the nights of a stay, if anything is. Other systems are never refused, and neither are the
   * nights of a type, or in a blocked unit, that the stay had before.
   */
  async clashOf(wanted: Reservation, before?: Reservation): Promise<Clash | undefined> {
    if (wanted.status !== 'confirmed' || wanted.released || isPlacedElsewhere(wanted)) return undefined;
    const [reservations, shortage] = await Promise.all([
      this.overlaps.clashesWith(wanted),
      this.shortageOf(wanted, before),
    ]);
    return reservations.length > 0 ? { reservations } : shortage;
  }

  /** The same, but for the stays that have the place: a block, or a type without a unit left. */
  async shortageOf(wanted: Reservation, before?: Reservation): Promise<Clash | undefined> {
    const held = before?.status === 'confirmed' && before.propertyId === wanted.propertyId ? segmentsOf(before) : [];
    if (isDayUse(wanted)) return await this.blockIn(wanted, dayOf(wanted));
    for (const segment of segmentsOf(wanted)) {
      const clash = await this.clashIn(wanted, segment, held);
      if (clash) return clash;
    }
    return undefined;
  }

  private async clashIn(stay: Reservation, segment: Segment, held: readonly Segment[]): Promise<Clash | undefined> {
    const { orgId, propertyId, id } = stay;
    const { unitTypeId } = segment;
    for (const added of nightsAdded(segment, held)) {
      const blocked = await this.blockIn(stay, added);
      if (blocked) return blocked;
    }
    if (!unitTypeId) return undefined;
    const nights = await this.nights.overfull(orgId, propertyId, {
      ...segment,
      unitTypeId,
      without: id,
      held: held.filter((one) => one.unitTypeId === unitTypeId),
      more: 1,
    });
    return nights.length > 0 ? { unitTypeId, nights } : undefined;
  }

  private async blockIn({ orgId, propertyId }: Reservation, segment: Segment): Promise<Clash | undefined> {
    const { unitId, unitTypeId } = segment;
    const block = (unitId || !unitTypeId) && (await this.nights.blockOf(orgId, propertyId, unitId, segment));
    return block ? { block } : undefined;
  }
}

/** @throws not_found_error or conflict_error if nobody can stay there. */
export function usableOf(
  known: KnownPlaces,
  { propertyId, unitId = null, unitTypeId = null }: AskedPlace,
): UsablePlace {
  const property = known.properties.get(propertyId);
  if (!property) throw propertyNotFound();
  if (property.archivedAt) throw propertyIsArchived();
  if (unitTypeId && !unitId) refuseUnusableType(known.unitTypes.get(unitTypeId), propertyId);
  if (!unitId) return { property, place: { propertyId, unitId, unitTypeId } };
  const unit = refuseUnusableUnit(known.units.get(unitId), propertyId);
  if (unitTypeId && unit.unitTypeId !== unitTypeId) throw unitOfAnotherType(unit.unitTypeId, unitTypeId);
  return { property, place: { propertyId, unitId, unitTypeId: unit.unitTypeId } };
}

const byId = <T extends { id: string }>(records: readonly T[]): ReadonlyMap<string, T> =>
  new Map(records.map((record) => [record.id, record]));
