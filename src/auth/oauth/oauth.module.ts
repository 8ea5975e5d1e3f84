import { Module } from '@nestjs/common';
import { AuthorizationServer } from './authorization-server.js';
import { ClientsRepository } from './clients.repository.js';
import { GrantsRepository } from './grants.repository.js';
import { InteractionsRepository } from './interactions.repository.js';
import { OAuthExpiry } from './oauth-expiry.js';
import { ProtectedResourceController } from './protected-resource.controller.js';
import { SlidingWindowsRepository } from './sliding-windows.repository.js';
import { TokensRepository } from './tokens.repository.js';

@Module({
  controllers: [ProtectedResourceController],
  providers: [
    AuthorizationServer,
    ClientsRepository,
    GrantsRepository,
    InteractionsRepository,
    OAuthExpiry,
    SlidingWindowsRepository,
    TokensRepository,
  ],
  exports: [AuthorizationServer, ClientsRepository, GrantsRepository],
})
export class OAuthModule {}
