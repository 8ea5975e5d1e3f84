import { Module } from '@nestjs/common';
import { InvitationsModule } from './members/invitations.module.js';
import { UsersModule } from './people/users.module.js';
import { EventsModule } from '../platform/events/events.module.js';
import { ActingMembersRepository } from './members/acting-members.repository.js';
import { CalendarFeedsRepository } from './stays/calendar-feeds.repository.js';
import { Followers } from './followers/followers.js';
import { RecordLocks } from './followers/record-locks.service.js';
import { FoundingService } from './founding/founding.service.js';
import { MeController } from './members/me.controller.js';
import { MemberActivity } from './members/member-activity.service.js';
import { MemberPermissionsRepository } from './members/member-permissions.repository.js';
import { MembersController } from './members/members.controller.js';
import { MembersRepository } from './members/members.repository.js';
import { MembershipsRepository } from './members/memberships.repository.js';
import { MembersService } from './members/members.service.js';
import { NewMembers } from './members/new-members.service.js';
import { OrganizationsController } from './organizations/organizations.controller.js';
import { OrganizationsRepository } from './organizations/organizations.repository.js';
import { OrganizationsService } from './organizations/organizations.service.js';
import { PropertiesController } from './properties/properties.controller.js';
import { PropertiesRepository } from './properties/properties.repository.js';
import { PropertiesService } from './properties/properties.service.js';
import { PropertySecrets } from './properties/property-secrets.js';
import { TimesChangesRepository } from './properties/times-changes.repository.js';
import { TimesChanges } from './properties/times-changes.service.js';
import { QuotasRepository } from './quotas/quotas.repository.js';
import { Quotas } from './quotas/quotas.service.js';
import { ReadinessRepository } from './readiness/readiness.repository.js';
import { Mornings } from './rooms/mornings.service.js';
import { RoomState } from './rooms/room-state.service.js';
import { RoomsRepository } from './rooms/rooms.repository.js';
import { ReferencesRepository } from './references/references.repository.js';
import { References } from './references/references.service.js';
import { RolesController } from './roles/roles.controller.js';
import { RolesRepository } from './roles/roles.repository.js';
import { RolesService } from './roles/roles.service.js';
import { StandingCallers } from './members/standing-callers.js';
import { NightsRepository } from './stays/nights.repository.js';
import { MovedStaysRepository } from './stays/moved-stays.repository.js';
import { NeighboursRepository } from './stays/neighbours.repository.js';
import { StaysRepository } from './stays/stays.repository.js';
import { UnitTypesController } from './unit-types/unit-types.controller.js';
import { UnitTypesRepository } from './unit-types/unit-types.repository.js';
import { UnitTypePutBacks } from './unit-types/unit-type-put-backs.service.js';
import { UnitTypesService } from './unit-types/unit-types.service.js';
import { FreeUnitsRepository } from './units/free-units.repository.js';
import { FreeUnits } from './units/free-units.service.js';
import { UnitRules } from './units/unit-rules.service.js';
import { UnitsController } from './units/units.controller.js';
import { UnitsRepository } from './units/units.repository.js';
import { UnitsService } from './units/units.service.js';

@Module({
  imports: [EventsModule, InvitationsModule, UsersModule],
  controllers: [
    MeController,
    OrganizationsController,
    MembersController,
    RolesController,
    PropertiesController,
    UnitTypesController,
    UnitsController,
  ],
  providers: [
    ActingMembersRepository,
    CalendarFeedsRepository,
    Followers,
    FoundingService,
    FreeUnits,
    FreeUnitsRepository,
    MemberActivity,
    MemberPermissionsRepository,
    MembersRepository,
    MembershipsRepository,
    MembersService,
    Mornings,
    MovedStaysRepository,
    NeighboursRepository,
    NewMembers,
    NightsRepository,
    OrganizationsRepository,
    OrganizationsService,
    PropertiesRepository,
    PropertiesService,
    PropertySecrets,
    Quotas,
    QuotasRepository,
    ReadinessRepository,
    RecordLocks,
    References,
    ReferencesRepository,
    RolesRepository,
    RolesService,
    RoomState,
    RoomsRepository,
    StandingCallers,
    StaysRepository,
    TimesChanges,
    TimesChangesRepository,
    UnitRules,
    UnitTypePutBacks,
    UnitTypesRepository,
    UnitTypesService,
    UnitsRepository,
    UnitsService,
  ],
  exports: [
    ActingMembersRepository,
    CalendarFeedsRepository,
    Followers,
    FoundingService,
    FreeUnits,
    MemberActivity,
    MembersRepository,
    MembershipsRepository,
    MembersService,
    NeighboursRepository,
    NewMembers,
    NightsRepository,
    OrganizationsRepository,
    OrganizationsService,
    PropertiesRepository,
    PropertiesService,
    Quotas,
    RecordLocks,
    References,
    ReferencesRepository,
    RolesService,
    RoomState,
    StandingCallers,
    StaysRepository,
    TimesChanges,
    TimesChangesRepository,
    UnitTypesRepository,
    UnitsRepository,
    UnitTypesService,
    UnitsService,
  ],
})
export class OrganizationsModule {}
