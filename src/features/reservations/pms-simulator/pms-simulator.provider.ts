import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Caller } from '#access';
import { Id } from '#operations';
import {
  type Account,
  ConnectionProvider,
  ConnectionProviders,
  type Ending,
  type Pulled,
} from '../../../outside/connections/connection-provider.js';
import type { Connection } from '../../../outside/connections/connection.entity.js';
import { PropertiesService } from '../../../tenancy/properties/properties.service.js';
import { syncCaller } from '../../../outside/connections/sync-caller.js';
import { ImportsService } from '../imports/imports.service.js';
import { StayPlaces } from '../stay-places.js';
import { bookOf } from './simulated-book.js';

class SimulatorSettings {
  @Id('property', {
    description: 'Property of the simulated stays (property_…), from listProperties; default: the oldest property.',
    optional: true,
  })
  propertyId?: string;
}

/** A property-management system within this process: it brings, moves and cancels reservations and owns their fields. */
@Injectable()
export class PmsSimulator extends ConnectionProvider<SimulatorSettings> implements OnModuleInit {
  readonly provider = 'simulator';
  readonly kind = 'pms';
  readonly settings = SimulatorSettings;
  readonly isInProcess = true;

  constructor(
    private readonly providers: ConnectionProviders,
    private readonly places: StayPlaces,
    private readonly properties: PropertiesService,
    private readonly imports: ImportsService,
  ) {
    super();
  }

  onModuleInit(): void {
    this.providers.register(this);
  }

  async check(caller: Caller, { propertyId }: SimulatorSettings): Promise<string | null> {
    return propertyId ? (await this.places.usable(caller, { propertyId })).property.id : null;
  }

  async pull({ connection, settings }: Account<SimulatorSettings>): Promise<Pulled> {
    const self = syncCaller(connection);
    const oldest = async () => (await this.properties.list(self, { sort: 'createdAt', limit: 1 })).items[0]?.id;
    const propertyId = settings.propertyId ?? (await oldest());
    if (!propertyId)
      return {
        outcome: 'failed',
        reason: 'The simulated stays need a property. Add one with createProperty, then sync again.',
      };
    const stays = bookOf(connection.createdAt.slice(0, 10), propertyId, connection.syncs);
    return { outcome: 'pulled', apply: this.imports.applying(connection, 'provider', stays) };
  }

  release(_: Caller, connection: Connection, { most }: Ending): Promise<boolean> {
    return this.imports.release(connection, most);
  }
}
