import { Module } from '@nestjs/common';
import { EventsModule } from '../../platform/events/events.module.js';
import { HealthModule } from '../../platform/health/health.module.js';
import { ApplicationKeysModule } from '../api-keys/application-keys.module.js';
import { ApplicationsElsewhere } from './applications-elsewhere.js';
import { GrantsService } from './grants.service.js';
import { AuthorizationServer } from './authorization-server.js';
import { ClientsRepository } from './clients.repository.js';
import { DiscoveryController } from './discovery.controller.js';
import { GrantsRepository } from './grants.repository.js';
import { InteractionsRepository } from './interactions.repository.js';
import { SlidingWindowsRepository } from '../../platform/limits/sliding-windows.repository.js';
import { ApplicationRecordsController } from './application-records.controller.js';
import { TokensRepository } from './tokens.repository.js';

@Module({
  imports: [ApplicationKeysModule, EventsModule, HealthModule],
  controllers: [DiscoveryController, ApplicationRecordsController],
  providers: [
    ApplicationsElsewhere,
    GrantsService,
    AuthorizationServer,
    ClientsRepository,
    GrantsRepository,
    InteractionsRepository,
    SlidingWindowsRepository,
    TokensRepository,
  ],
  exports: [GrantsService, AuthorizationServer, ClientsRepository, GrantsRepository],
})
export class OAuthModule {}
