import { Module } from '@nestjs/common';
import { AuthorizationServer } from './authorization-server.js';
import { ClientsRepository } from './clients.repository.js';
import { GrantsRepository } from './grants.repository.js';
import { InteractionsRepository } from './interactions.repository.js';
import { ProtectedResourceController } from './protected-resource.controller.js';
import { TokensRepository } from './tokens.repository.js';

@Module({
  controllers: [ProtectedResourceController],
  providers: [AuthorizationServer, ClientsRepository, GrantsRepository, InteractionsRepository, TokensRepository],
  exports: [AuthorizationServer, ClientsRepository, GrantsRepository],
})
export class OAuthModule {}
