import { Module } from '@nestjs/common';
import { ByReferenceModule } from '../../outside/by-reference/by-reference.module.js';
import { ConnectionsModule } from '../../outside/connections/connections.module.js';
import { EventsModule } from '../../platform/events/events.module.js';
import { OrganizationsModule } from '../../tenancy/organizations.module.js';
import { GuestPutBacks } from './guest-put-backs.service.js';
import { GuestMergesService } from './guest-merges.service.js';
import { GuestStaysRepository } from './guest-stays.repository.js';
import { GuestsController } from './guests.controller.js';
import { GuestsRepository } from './guests.repository.js';
import { GuestsService } from './guests.service.js';
import { ArrivalAssignments } from './assignments/arrival-assignments.service.js';
import { AssignmentsController } from './assignments/assignments.controller.js';
import { Assignments } from './assignments/assignments.service.js';
import { AvailabilityController } from './availability/availability.controller.js';
import { Availability } from './availability/availability.service.js';
import { BlockedNights } from './blocks/blocked-nights.service.js';
import { UnitBlocksController } from './blocks/unit-blocks.controller.js';
import { UnitBlocksRepository } from './blocks/unit-blocks.repository.js';
import { UnitBlockPutBacks } from './blocks/unit-block-put-backs.service.js';
import { UnitBlocksService } from './blocks/unit-blocks.service.js';
import { PushProvider } from './by-reference/push.provider.js';
import { PushedChanges } from './by-reference/pushed-changes.service.js';
import { PushedGuests } from './by-reference/pushed-guests.js';
import { PushedStays } from './by-reference/pushed-stays.js';
import { ReconciliationsRepository } from './by-reference/reconciliations.repository.js';
import { StayReferencesController } from './by-reference/stay-references.controller.js';
import { Explanations } from './explanations/explanations.service.js';
import { OtherRooms } from './explanations/other-rooms.service.js';
import { OtherStays } from './explanations/other-stays.service.js';
import { CalendarsController } from './ical/calendars.controller.js';
import { CalendarWork } from './ical/calendar-work.service.js';
import { FeedsRepository } from './ical/feeds.repository.js';
import { FeedsService } from './ical/feeds.service.js';
import { ICalProvider } from './ical/ical.provider.js';
import { ImportedChanges } from './imports/imported-changes.service.js';
import { ImportsService } from './imports/imports.service.js';
import { LocalTimesRepository } from './local-times.repository.js';
import { NewStays } from './new-stays.service.js';
import { CrowdedPlacesRepository } from './overlaps/crowded-places.repository.js';
import { CrowdedPlaces } from './overlaps/crowded-places.service.js';
import { OverlapFlags } from './overlaps/overlap-flags.service.js';
import { OverlapsRepository } from './overlaps/overlaps.repository.js';
import { Parties } from './parties.service.js';
import { PmsSimulator } from './pms-simulator/pms-simulator.provider.js';
import { ReservationsController } from './reservations.controller.js';
import { ReservationsRepository } from './reservations.repository.js';
import { MovedStays } from './moved-stays.service.js';
import { ReservationsService } from './reservations.service.js';
import { BlockEnds } from './sweeps/block-ends.service.js';
import { DueDaysRepository } from './sweeps/due-days.repository.js';
import { RoomChanges } from './sweeps/room-changes.service.js';
import { StayChanges } from './stay-changes.service.js';
import { StayMoves } from './stay-moves.service.js';
import { StayPutBacks } from './stay-put-backs.service.js';
import { StayPlaces } from './stay-places.js';
import { StayStates } from './stay-states.service.js';
import { StayTimes } from './stay-times.js';

@Module({
  imports: [EventsModule, OrganizationsModule, ConnectionsModule, ByReferenceModule],
  controllers: [
    ReservationsController,
    GuestsController,
    AssignmentsController,
    AvailabilityController,
    UnitBlocksController,
    StayReferencesController,
  ],
  providers: [
    ArrivalAssignments,
    Assignments,
    Availability,
    BlockedNights,
    BlockEnds,
    CalendarWork,
    CrowdedPlaces,
    CrowdedPlacesRepository,
    DueDaysRepository,
    Explanations,
    GuestMergesService,
    GuestPutBacks,
    GuestsRepository,
    GuestStaysRepository,
    GuestsService,
    ICalProvider,
    ImportedChanges,
    ImportsService,
    LocalTimesRepository,
    MovedStays,
    NewStays,
    OtherRooms,
    OtherStays,
    OverlapFlags,
    OverlapsRepository,
    Parties,
    PmsSimulator,
    PushProvider,
    PushedChanges,
    PushedGuests,
    PushedStays,
    ReconciliationsRepository,
    ReservationsRepository,
    ReservationsService,
    RoomChanges,
    StayChanges,
    StayMoves,
    StayPlaces,
    StayPutBacks,
    StayStates,
    StayTimes,
    UnitBlocksRepository,
    UnitBlockPutBacks,
    UnitBlocksService,
  ],
  exports: [
    Assignments,
    UnitBlocksService,
    CalendarWork,
    CrowdedPlaces,
    GuestsRepository,
    MovedStays,
    ReservationsRepository,
    ReservationsService,
    StayPlaces,
    StayStates,
  ],
})
export class ReservationsModule {}

/** Where calendars are read, outside /api/v1. */
@Module({
  imports: [OrganizationsModule, ReservationsModule],
  controllers: [CalendarsController],
  providers: [FeedsRepository, FeedsService],
})
export class CalendarsModule {}
