import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { EventsService } from '../../platform/events/events.service.js';
import { propertyIsArchived } from '../../organizations/properties.errors.js';
import { PropertiesService } from '../../tenancy/properties/properties.service.js';
import type { Property } from '../../tenancy/properties/property.entity.js';
import { UnitsService } from '../../tenancy/units/units.service.js';
import type { Reservation } from './reservation.entity.js';
import { overlapCleared, overlapFlagged } from './reservations.events.js';
import { placeOf, ReservationsRepository } from './reservations.repository.js';

export type Place = Pick<Reservation, 'propertyId' | 'unitId'>;

/** Where stays can be, and which of them are there at once. */
@Injectable()
export class StayPlaces {
  constructor(
    private readonly properties: PropertiesService,
    private readonly units: UnitsService,
    private readonly reservations: ReservationsRepository,
    private readonly events: EventsService,
  ) {}

  /**
   * Holds places until the transaction ends: other bookings of them wait, and so does what changes or archives their
   * properties. To be called before a stay is locked and with all places at once; everybody who locks does so in this
   * order, so that nobody waits in a ring.
   *
   * @throws not_found_error when the credential cannot see one of the properties.
   */
  async hold(caller: Caller, places: readonly Place[]): Promise<void> {
    await this.properties.hold(
      caller,
      places.map(({ propertyId }) => propertyId),
    );
    for (const place of [...new Set(places.map(placeOf))].sort())
      await this.reservations.lockPlace(caller.orgId, place);
  }

  /** @throws not_found_error or conflict_error where nobody can stay there. */
  async usable(caller: Caller, propertyId: string, unitId: string | null): Promise<Property> {
    const property = await this.properties.get(caller, propertyId);
    if (property.archivedAt) throw propertyIsArchived();
    if (unitId) await this.units.usable(caller.orgId, propertyId, unitId);
    return property;
  }

  /** Flags the stays that overlap at a place, and clears those that do not any more. */
  async markOverlaps(caller: Caller, place: string): Promise<void> {
    for (const { before, after } of await this.reservations.markOverlaps(caller.orgId, place))
      this.events.record(caller, after.overlapping ? overlapFlagged : overlapCleared, after, before);
  }
}
