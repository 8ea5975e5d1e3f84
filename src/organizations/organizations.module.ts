import { Module } from '@nestjs/common';
import { FoundingService } from './founding.service.js';
import { MeController } from './me.controller.js';
import { MembersRepository } from './members.repository.js';
import { MembershipsRepository } from './memberships.repository.js';
import { OrganizationsRepository } from './organizations.repository.js';
import { PropertiesController } from './properties.controller.js';
import { PropertiesRepository } from './properties.repository.js';
import { PropertiesService } from './properties.service.js';

@Module({
  controllers: [MeController, PropertiesController],
  providers: [
    FoundingService,
    MembersRepository,
    MembershipsRepository,
    OrganizationsRepository,
    PropertiesRepository,
    PropertiesService,
  ],
  exports: [FoundingService, MembersRepository, MembershipsRepository, OrganizationsRepository, PropertiesService],
})
export class OrganizationsModule {}
