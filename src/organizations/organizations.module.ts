import { Module } from '@nestjs/common';
import { InvitationsModule } from '../accounts/invitations.module.js';
import { UsersModule } from '../accounts/users.module.js';
import { EventsModule } from '../events/events.module.js';
import { ActingMembersRepository } from './acting-members.repository.js';
import { Admissions } from './admissions.js';
import { CalendarFeedsRepository } from './calendar-feeds.repository.js';
import { Departures } from './departures.js';
import { FoundingService } from './founding.service.js';
import { MeController } from './me.controller.js';
import { MemberPermissionsRepository } from './member-permissions.repository.js';
import { MembersController } from './members.controller.js';
import { MembersRepository } from './members.repository.js';
import { MembershipsRepository } from './memberships.repository.js';
import { MembersService } from './members.service.js';
import { OrganizationsController } from './organizations.controller.js';
import { OrganizationsRepository } from './organizations.repository.js';
import { OrganizationsService } from './organizations.service.js';
import { PropertiesController } from './properties.controller.js';
import { PropertiesRepository } from './properties.repository.js';
import { PropertiesService } from './properties.service.js';
import { PropertyReadiness } from './property-readiness.js';
import { PlaceUses } from './place-uses.js';
import { QuotasRepository } from './quotas.repository.js';
import { Quotas } from './quotas.service.js';
import { RolesController } from './roles.controller.js';
import { RolesRepository } from './roles.repository.js';
import { RolesService } from './roles.service.js';
import { StandingCallers } from './standing-callers.js';
import { StayChanges } from './stay-changes.js';
import { StaysRepository } from './stays.repository.js';
import { UnitsController } from './units.controller.js';
import { UnitsRepository } from './units.repository.js';
import { UnitsService } from './units.service.js';

@Module({
  imports: [EventsModule, InvitationsModule, UsersModule],
  controllers: [
    MeController,
    OrganizationsController,
    MembersController,
    RolesController,
    PropertiesController,
    UnitsController,
  ],
  providers: [
    ActingMembersRepository,
    Admissions,
    CalendarFeedsRepository,
    Departures,
    FoundingService,
    MemberPermissionsRepository,
    MembersRepository,
    MembershipsRepository,
    MembersService,
    OrganizationsRepository,
    OrganizationsService,
    PropertiesRepository,
    PlaceUses,
    PropertiesService,
    PropertyReadiness,
    Quotas,
    QuotasRepository,
    RolesRepository,
    RolesService,
    StandingCallers,
    StayChanges,
    StaysRepository,
    UnitsRepository,
    UnitsService,
  ],
  exports: [
    ActingMembersRepository,
    Admissions,
    CalendarFeedsRepository,
    Departures,
    FoundingService,
    MembersRepository,
    MembershipsRepository,
    MembersService,
    OrganizationsRepository,
    OrganizationsService,
    PlaceUses,
    PropertiesService,
    PropertyReadiness,
    Quotas,
    RolesService,
    StandingCallers,
    StayChanges,
    StaysRepository,
    UnitsService,
  ],
})
export class OrganizationsModule {}
