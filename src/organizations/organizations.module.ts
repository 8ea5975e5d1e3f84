import { Module } from '@nestjs/common';
import { MeController } from './me.controller.js';
import { MembersRepository } from './members.repository.js';
import { OrganizationsRepository } from './organizations.repository.js';
import { PropertiesController } from './properties.controller.js';
import { PropertiesRepository } from './properties.repository.js';
import { PropertiesService } from './properties.service.js';

@Module({
  controllers: [MeController, PropertiesController],
  providers: [MembersRepository, OrganizationsRepository, PropertiesRepository, PropertiesService],
  exports: [MembersRepository, OrganizationsRepository, PropertiesService],
})
export class OrganizationsModule {}
