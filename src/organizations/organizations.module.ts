import { Module } from '@nestjs/common';
import { InvitationsModule } from '../tenancy/members/invitations.module.js';
import { UsersModule } from '../tenancy/people/users.module.js';
import { EventsModule } from '../platform/events/events.module.js';
import { ActingMembersRepository } from '../tenancy/members/acting-members.repository.js';
import { Admissions } from './admissions.js';
import { CalendarFeedsRepository } from '../tenancy/stays/calendar-feeds.repository.js';
import { Departures } from './departures.js';
import { FoundingService } from '../tenancy/founding/founding.service.js';
import { MeController } from '../tenancy/members/me.controller.js';
import { MemberPermissionsRepository } from '../tenancy/members/member-permissions.repository.js';
import { MembersController } from '../tenancy/members/members.controller.js';
import { MembersRepository } from '../tenancy/members/members.repository.js';
import { MembershipsRepository } from '../tenancy/members/memberships.repository.js';
import { MembersService } from '../tenancy/members/members.service.js';
import { OrganizationsController } from '../tenancy/organizations/organizations.controller.js';
import { OrganizationsRepository } from '../tenancy/organizations/organizations.repository.js';
import { OrganizationsService } from '../tenancy/organizations/organizations.service.js';
import { PropertiesController } from '../tenancy/properties/properties.controller.js';
import { PropertiesRepository } from '../tenancy/properties/properties.repository.js';
import { PropertiesService } from '../tenancy/properties/properties.service.js';
import { PropertyReadiness } from './property-readiness.js';
import { PlaceUses } from './place-uses.js';
import { QuotasRepository } from '../tenancy/quotas/quotas.repository.js';
import { Quotas } from '../tenancy/quotas/quotas.service.js';
import { RolesController } from '../tenancy/roles/roles.controller.js';
import { RolesRepository } from '../tenancy/roles/roles.repository.js';
import { RolesService } from '../tenancy/roles/roles.service.js';
import { StandingCallers } from '../tenancy/members/standing-callers.js';
import { StayChanges } from './stay-changes.js';
import { StaysRepository } from '../tenancy/stays/stays.repository.js';
import { UnitsController } from '../tenancy/units/units.controller.js';
import { UnitsRepository } from '../tenancy/units/units.repository.js';
import { UnitsService } from '../tenancy/units/units.service.js';

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
