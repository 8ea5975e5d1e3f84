import { Injectable } from '@nestjs/common';
import type { ServiceError } from '#errors';

/** A unit, or a property with all that is there. */
export interface Place {
  propertyId: string;
  unitId?: string;
}

/** Why a place cannot be archived yet; undefined where it can. */
type Look = (orgId: string, place: Place) => Promise<ServiceError | undefined>;

/**
 * Where features that need a place (access codes, recurring tasks, connections) keep it from being archived, without
 * being known here.
 */
@Injectable()
export class PlaceUses {
  private readonly looks: Look[] = [];

  add(look: Look): void {
    this.looks.push(look);
  }

  /** @throws conflict_error while a feature needs it. */
  async refuseArchiving(orgId: string, place: Place): Promise<void> {
    for (const look of this.looks) {
      const refusal = await look(orgId, place);
      if (refusal) throw refusal;
    }
  }
}
