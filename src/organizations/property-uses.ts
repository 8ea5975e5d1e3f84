import { Injectable } from '@nestjs/common';
import type { ServiceError } from '#errors';

/** Why a property cannot be archived yet; undefined where it can. */
type Look = (orgId: string, propertyId: string) => Promise<ServiceError | undefined>;

/** Where features that need a property (access codes) keep it from being archived, without being known here. */
@Injectable()
export class PropertyUses {
  private readonly looks: Look[] = [];

  add(look: Look): void {
    this.looks.push(look);
  }

  /** @throws conflict_error while a feature needs it. */
  async refuseArchiving(orgId: string, propertyId: string): Promise<void> {
    for (const look of this.looks) {
      const refusal = await look(orgId, propertyId);
      if (refusal) throw refusal;
    }
  }
}
