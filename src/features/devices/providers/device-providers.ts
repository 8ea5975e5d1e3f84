import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../../platform/config/app.config.js';
import { CONFIG } from '../../../platform/config/app.config.js';
import { ConnectionProviders } from '../../../outside/connections/connection-provider.js';
import { PropertiesService } from '../../../tenancy/properties/properties.service.js';
import { DiscoveryService } from '../discovery.service.js';
import { DeviceConnections } from './device-connections.js';
import type { DeviceProvider } from './device-provider.js';

/** The available adapters, by name. Each is a provider of connections too. */
@Injectable()
export class DeviceProviders {
  private readonly known = new Map<string, DeviceProvider>();

  constructor(
    private readonly connections: ConnectionProviders,
    private readonly properties: PropertiesService,
    private readonly discovery: DiscoveryService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  register(provider: DeviceProvider): void {
    this.known.set(provider.provider, provider);
    this.connections.register(new DeviceConnections(provider, this.properties, this.discovery, this.config.baseUrl));
  }

  /** The names of the adapters that listen to devices. */
  listening(): string[] {
    return [...this.known.values()]
      .filter(({ pushing }) => pushing && 'listen' in pushing)
      .map(({ provider }) => provider);
  }

  named(provider: string): DeviceProvider {
    const found = this.known.get(provider);
    if (!found) throw new Error(`There is no adapter for ${provider}`);
    return found;
  }
}
