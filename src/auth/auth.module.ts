import { Module } from '@nestjs/common';
import { ApiKeysModule } from './api-keys/api-keys.module.js';
import { BearerStrategy } from './bearer.strategy.js';
import { CredentialsRepository } from './credentials.repository.js';
import { CredentialsService } from './credentials.service.js';

@Module({
  imports: [ApiKeysModule],
  providers: [BearerStrategy, CredentialsRepository, CredentialsService],
  exports: [ApiKeysModule, CredentialsService],
})
export class AuthModule {}
