import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { EventsService } from '../../platform/events/events.service.js';
import { propertyIsArchived } from '../../tenancy/properties/properties.errors.js';
import { PropertiesService } from '../../tenancy/properties/properties.service.js';
import type { Property } from '../../tenancy/properties/property.entity.js';
import { UnitsService } from '../../tenancy/units/units.service.js';
import type { Reservation } from './reservation.entity.js';
import { overlapCleared, overlapFlagged } from './reservations.events.js';
import { placeOf, ReservationsRepository } from './reservations.repository.js';

export type Place = Pick<Reservation, 'propertyId' | 'unitId'>;

/** Where stays can be, and which of them overlap there. */
@Injectable()
export class StayPlaces {
  constructor(
    private readonly properties: PropertiesService,
    private readonly units: UnitsService,
    private readonly reservations: ReservationsRepository,
    private readonly events: EventsService,
  ) {}

  /**
   * Locks places until the transaction ends: other bookings of them wait, and so do changes and archiving of their
   * properties. Call this before locking a stay, with all places together; everything locks in this order, which
   * prevents deadlocks.
   *
   * @throws not_found_error if the credential cannot see one of the properties.
   */
  async lock(caller: Caller, places: readonly Place[]): Promise<void> {
    await this.properties.lock(
      caller,
      places.map(({ propertyId }) => propertyId),
    );
    for (const place of [...new Set(places.map(placeOf))].sort())
      await this.reservations.lockPlace(caller.orgId, place);
  }

  /** @throws not_found_error or conflict_error if nobody can stay there. */
  async usable(caller: Caller, propertyId: string, unitId: string | null): Promise<Property> {
    const property = await this.properties.get(caller, propertyId);
    if (property.archivedAt) throw propertyIsArchived();
    if (unitId) await this.units.usable(caller.orgId, propertyId, unitId);
    return property;
  }

  /** Flags the stays that overlap at a place, and clears those that no longer do. */
  async markOverlaps(caller: Caller, place: string): Promise<void> {
    const marked = await this.reservations.markOverlaps(caller.orgId, place);
    await this.events.recordAll(caller, marked, ({ after }) => (after.overlapping ? overlapFlagged : overlapCleared));
  }
}
