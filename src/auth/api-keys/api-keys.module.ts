import { Module } from '@nestjs/common';
import { EventsModule } from '../../events/events.module.js';
import { OrganizationsModule } from '../../organizations/organizations.module.js';
import { ApiKeysController } from './api-keys.controller.js';
import { ApiKeysRepository } from './api-keys.repository.js';
import { ApiKeysService } from './api-keys.service.js';

@Module({
  imports: [EventsModule, OrganizationsModule],
  controllers: [ApiKeysController],
  providers: [ApiKeysRepository, ApiKeysService],
  exports: [ApiKeysService],
})
export class ApiKeysModule {}
