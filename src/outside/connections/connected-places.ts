import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import type { ServiceError } from '#errors';
import type { PlaceUser } from '../../tenancy/followers/followers.js';
import { propertyIsArchived } from '../../tenancy/properties/properties.errors.js';
import { PropertiesService } from '../../tenancy/properties/properties.service.js';
import type { Place } from '../../tenancy/stays/place.js';
import { propertyHasConnections, unitHasConnections } from './connections.errors.js';
import { ConnectionsRepository } from './connections.repository.js';

/** A place is not archived while it has a connection, and an archived one gets none. */
@Injectable()
export class ConnectedPlaces implements PlaceUser {
  constructor(
    private readonly connections: ConnectionsRepository,
    private readonly properties: PropertiesService,
  ) {}

  async refusalAt(orgId: string, place: Place): Promise<ServiceError | undefined> {
    const live = (await this.connections.liveAtPlace(orgId, place)).map(({ id }) => id);
    if (live.length === 0) return undefined;
    return place.unitId ? unitHasConnections(live) : propertyHasConnections(live);
  }

  /** A concurrent request that archives the property waits, and then finds the connection. */
  async keep(caller: Caller, propertyId: string): Promise<void> {
    await this.properties.lock(caller, [propertyId]);
    if ((await this.properties.get(caller, propertyId)).archivedAt) throw propertyIsArchived();
  }
}
