import { Module } from '@nestjs/common';
import { EventsModule } from '../../platform/events/events.module.js';
import { OrganizationsModule } from '../../tenancy/organizations.module.js';
import { ApiKeyEndings } from './api-key-endings.service.js';
import { ApiKeysController } from './api-keys.controller.js';
import { ApiKeysRepository } from './api-keys.repository.js';
import { ApiKeysService } from './api-keys.service.js';

@Module({
  imports: [EventsModule, OrganizationsModule],
  controllers: [ApiKeysController],
  providers: [ApiKeyEndings, ApiKeysRepository, ApiKeysService],
  exports: [ApiKeyEndings, ApiKeysService],
})
export class ApiKeysModule {}
