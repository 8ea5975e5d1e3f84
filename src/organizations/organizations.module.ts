import { Module } from '@nestjs/common';
import { FoundingService } from './founding.service.js';
import { MeController } from './me.controller.js';
import { MembersRepository } from './members.repository.js';
import { OrganizationsRepository } from './organizations.repository.js';
import { PropertiesController } from './properties.controller.js';
import { PropertiesRepository } from './properties.repository.js';
import { PropertiesService } from './properties.service.js';
import { StayChanges } from './stay-changes.js';
import { StaysRepository } from './stays.repository.js';
import { UnitsController } from './units.controller.js';
import { UnitsRepository } from './units.repository.js';
import { UnitsService } from './units.service.js';

@Module({
  controllers: [MeController, PropertiesController, UnitsController],
  providers: [
    FoundingService,
    MembersRepository,
    OrganizationsRepository,
    PropertiesRepository,
    PropertiesService,
    StayChanges,
    StaysRepository,
    UnitsRepository,
    UnitsService,
  ],
  exports: [
    FoundingService,
    MembersRepository,
    OrganizationsRepository,
    PropertiesService,
    StayChanges,
    StaysRepository,
    UnitsService,
  ],
})
export class OrganizationsModule {}
