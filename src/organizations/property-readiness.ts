import { Injectable } from '@nestjs/common';
import type { Hindrance } from './property.dto.js';
import type { Property } from '../tenancy/properties/property.entity.js';

/** What keeps guests from being let in, by the property; a property that is not named has nothing. */
type Look = (orgId: string, propertyIds: readonly string[]) => Promise<ReadonlyMap<string, Hindrance[]>>;

/** Where features that know of a property's condition (devices) tell it, without being known here. */
@Injectable()
export class PropertyReadiness {
  private readonly looks: Look[] = [];

  add(look: Look): void {
    this.looks.push(look);
  }

  /** Notes in properties that are about to be shown what keeps guests from being let in. */
  async note(orgId: string, properties: readonly Property[]): Promise<void> {
    if (properties.length === 0) return;
    const ids = properties.map(({ id }) => id);
    const found = await Promise.all(this.looks.map((look) => look(orgId, ids)));
    for (const property of properties) property.hindrances = found.flatMap((each) => each.get(property.id) ?? []);
  }
}
