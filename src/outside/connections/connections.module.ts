import { Module } from '@nestjs/common';
import { EventsModule } from '../../platform/events/events.module.js';
import { OrganizationsModule } from '../../tenancy/organizations.module.js';
import { ConnectedPlaces } from './connected-places.js';
import { ConnectionAccounts } from './connection-accounts.js';
import { ConnectionProviders } from './connection-provider.js';
import { ConnectionsController } from './connections.controller.js';
import { ConnectionsRepository } from './connections.repository.js';
import { ConnectionsService } from './connections.service.js';
import { HandOversRepository } from './hand-overs.repository.js';
import { HandOvers } from './hand-overs.service.js';
import { SyncsService } from './syncs.service.js';
import { Vault } from './vault.js';

/** The base for features, which register their providers here. */
@Module({
  imports: [EventsModule, OrganizationsModule],
  controllers: [ConnectionsController],
  providers: [
    ConnectedPlaces,
    ConnectionAccounts,
    ConnectionProviders,
    ConnectionsRepository,
    ConnectionsService,
    HandOvers,
    HandOversRepository,
    SyncsService,
    Vault,
  ],
  exports: [ConnectedPlaces, ConnectionAccounts, ConnectionProviders, ConnectionsRepository, ConnectionsService],
})
export class ConnectionsModule {}
