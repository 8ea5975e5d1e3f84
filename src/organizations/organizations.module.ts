import { Module } from '@nestjs/common';
import { FoundingService } from './founding.service.js';
import { MeController } from './me.controller.js';
import { MembersRepository } from './members.repository.js';
import { OrganizationsRepository } from './organizations.repository.js';
import { PropertiesController } from './properties.controller.js';
import { PropertiesRepository } from './properties.repository.js';
import { PropertiesService } from './properties.service.js';

@Module({
  controllers: [MeController, PropertiesController],
  providers: [FoundingService, MembersRepository, OrganizationsRepository, PropertiesRepository, PropertiesService],
  exports: [FoundingService, MembersRepository, OrganizationsRepository, PropertiesService],
})
export class OrganizationsModule {}
