import { Module } from '@nestjs/common';
import { ApiKeyEndings } from '../auth/api-keys/api-key-endings.service.js';
import { ApiKeysModule } from '../auth/api-keys/api-keys.module.js';
import { ApplicationsModule } from '../auth/applications/applications.module.js';
import { ApplicationsService } from '../auth/applications/applications.service.js';
import { ConnectedPlaces } from '../outside/connections/connected-places.js';
import { ConnectionsModule } from '../outside/connections/connections.module.js';
import { CodeFollower } from '../features/devices/access-codes/code-follower.service.js';
import { DevicesModule } from '../features/devices/devices.module.js';
import { Followers } from '../tenancy/followers/followers.js';
import { OrganizationsModule } from '../tenancy/organizations.module.js';
import { ReservationsModule } from '../features/reservations/reservations.module.js';
import { MovedStays } from '../features/reservations/moved-stays.service.js';
import { CrowdedPlaces } from '../features/reservations/overlaps/crowded-places.service.js';
import { RoomState } from '../tenancy/rooms/room-state.service.js';
import { RecurrencesService } from '../features/tasks/recurrence/recurrences.service.js';
import { TaskPlanner } from '../features/tasks/task-planner.js';
import { TasksModule } from '../features/tasks/tasks.module.js';
import { WaitingRunsModule } from '../features/workflows/runs/waiting-runs.module.js';
import { WaitingRuns } from '../features/workflows/runs/waiting-runs.service.js';

/**
 * Which services follow which, and in which order: the same in every process that changes data. It is the order of locks
 * too: a property, its stays, then the rooms, tasks, devices with their codes, and runs of these stays. RecordLocks locks
 * many records in it together.
 */
@Module({
  imports: [
    OrganizationsModule,
    ConnectionsModule,
    ReservationsModule,
    TasksModule,
    DevicesModule,
    WaitingRunsModule,
    ApiKeysModule,
    ApplicationsModule,
  ],
})
export class FollowersModule {
  constructor(
    followers: Followers,
    moved: MovedStays,
    tasks: TaskPlanner,
    codes: CodeFollower,
    runs: WaitingRuns,
    connections: ConnectedPlaces,
    series: RecurrencesService,
    applications: ApplicationsService,
    keys: ApiKeyEndings,
    rooms: RoomState,
    crowded: CrowdedPlaces,
  ) {
    followers.are({
      stays: [moved, rooms, tasks, codes, runs],
      units: [crowded],
      places: [connections, series, codes],
      admissions: [applications],
      departures: [keys],
    });
  }
}
