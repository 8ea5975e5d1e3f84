import { Module } from '@nestjs/common';
import { ConnectionProviders } from './connection-provider.js';
import { ConnectionsController } from './connections.controller.js';
import { ConnectionsRepository } from './connections.repository.js';
import { ConnectionsService } from './connections.service.js';
import { SyncsService } from './syncs.service.js';
import { Vault } from './vault.js';

/** Ground for features: they register the providers that they bring. */
@Module({
  controllers: [ConnectionsController],
  providers: [ConnectionProviders, ConnectionsRepository, ConnectionsService, SyncsService, Vault],
  exports: [ConnectionProviders],
})
export class ConnectionsModule {}
