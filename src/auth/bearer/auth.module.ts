import { Module } from '@nestjs/common';
import { AccessTokensRepository } from './access-tokens.repository.js';
import { AccessTokensService } from './access-tokens.service.js';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { BearerStrategy } from './bearer.strategy.js';
import { CredentialsRepository } from './credentials.repository.js';
import { CredentialsService } from './credentials.service.js';

@Module({
  imports: [ApiKeysModule],
  providers: [AccessTokensRepository, AccessTokensService, BearerStrategy, CredentialsRepository, CredentialsService],
  exports: [ApiKeysModule, BearerStrategy, CredentialsService],
})
export class AuthModule {}
