import { Injectable } from '@nestjs/common';
import { ConnectionProviders } from '../../connections/connection-provider.js';
import { PropertiesService } from '../../organizations/properties.service.js';
import { DiscoveryService } from '../discovery.service.js';
import { DeviceConnections } from './device-connections.js';
import type { DeviceProvider } from './device-provider.js';

/** The adapters that there are, by name; each is a provider of connections too. */
@Injectable()
export class DeviceProviders {
  private readonly known = new Map<string, DeviceProvider>();

  constructor(
    private readonly connections: ConnectionProviders,
    private readonly properties: PropertiesService,
    private readonly discovery: DiscoveryService,
  ) {}

  register(provider: DeviceProvider): void {
    this.known.set(provider.provider, provider);
    this.connections.register(new DeviceConnections(provider, this.properties, this.discovery));
  }

  named(provider: string): DeviceProvider {
    const found = this.known.get(provider);
    if (!found) throw new Error(`There is no adapter for ${provider}`);
    return found;
  }
}
