import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { errorEnvelope, ServiceError } from '#errors';
import { TenantDatabase } from '#persistence';
import { Slices } from '#turns';
import { PropertiesService } from '../../../tenancy/properties/properties.service.js';
import { dayIn } from '../../../tenancy/stays/local-moments.js';
import { FreeUnits } from '../../../tenancy/units/free-units.service.js';
import { needsOf } from '../occupancy.js';
import type { Reservation } from '../reservation.entity.js';
import { noUnitIsFree } from '../reservations.errors.js';
import { ReservationsRepository } from '../reservations.repository.js';
import { StayPlaces } from '../stay-places.js';
import type { AssignmentView, AssignUnits } from './assignment.dto.js';
import { Assignments } from './assignments.service.js';

const fewestInSlice = 4;
const action = { service: 'reservations', method: 'assignUnits' };

/**
 * Units for all arrivals of a day that have none, each separately: one that gets none does not affect the others. They
 * are assigned in slices, so that bookings at the property do not wait for all of them.
 */
@Injectable()
export class ArrivalAssignments {
  constructor(
    private readonly reservations: ReservationsRepository,
    private readonly properties: PropertiesService,
    private readonly places: StayPlaces,
    private readonly freeUnits: FreeUnits,
    private readonly assignments: Assignments,
    private readonly database: TenantDatabase,
  ) {}

  /**
   * The longest stay first: what has room for it has room for a shorter one, so no stay is left out without need. Day
   * uses are last. Stays that begin to wait later are left out, because an approval does not show them.
   */
  async assign(caller: Caller, arrivals: AssignUnits): Promise<AssignmentView[]> {
    const { propertyId, date } = arrivals;
    await this.properties.get(caller, propertyId);
    const waiting = (await this.reservations.unassigned(caller.orgId, propertyId, date)).map(({ id }) => id);
    const slices = new Slices(fewestInSlice);
    const results: AssignmentView[] = [];
    while (waiting.length > 0)
      results.push(
        ...(await slices.next((most) => {
          const some = new Set(waiting.splice(0, most));
          return this.database.transaction(caller.orgId, () => this.assignSome(caller, arrivals, some));
        })),
      );
    return results;
  }

  /** Those that still wait: between two slices, a stay may have been moved, cancelled or assigned. */
  private async assignSome(
    caller: Caller,
    { propertyId, date }: AssignUnits,
    some: ReadonlySet<string>,
  ): Promise<AssignmentView[]> {
    await this.places.lock(caller, [propertyId]);
    const today = dayIn((await this.properties.get(caller, propertyId)).timezone);
    const waiting = await this.reservations.unassigned(caller.orgId, propertyId, date, 'for no key update');
    const results: AssignmentView[] = [];
    for (const stay of waiting) if (some.has(stay.id)) results.push(await this.resultOf(caller, stay, today));
    return results;
  }

  private async resultOf(caller: Caller, stay: Reservation, today: string): Promise<AssignmentView> {
    const { id: reservationId } = stay;
    try {
      const wanted = { ...needsOf(stay), unitTypeId: stay.unitTypeId as string };
      const unitId = await this.freeUnits.bestFor(caller.orgId, wanted, today);
      if (!unitId) throw noUnitIsFree();
      await this.assignments.give(caller, stay, unitId, true);
      return { reservationId, unitId };
    } catch (error) {
      if (!(error instanceof ServiceError) || error.status >= 500) throw error;
      return { reservationId, error: errorEnvelope(error, caller.requestId, action).error };
    }
  }
}
