import { Injectable } from '@nestjs/common';
import { Jobs, schedules, type Work } from '#jobs';
import { TenantDatabase } from '#persistence';
import { PropertiesRepository } from '../properties/properties.repository.js';
import { dayIn } from '../stays/local-moments.js';
import { RoomState } from './room-state.service.js';
import { type DueProperty, RoomsRepository, soonestMorning } from './rooms.repository.js';

/** At six in the morning of a property, the rooms in house become dirty. */
@Injectable()
export class Mornings implements Work<DueProperty> {
  readonly name = 'mornings';
  readonly lane = schedules;
  readonly soonest = soonestMorning;

  constructor(
    private readonly rooms: RoomsRepository,
    private readonly state: RoomState,
    private readonly properties: PropertiesRepository,
    private readonly database: TenantDatabase,
    jobs: Jobs,
  ) {
    jobs.take(this);
  }

  due(now: string): Promise<DueProperty[]> {
    return this.rooms.dueMornings(now);
  }

  async perform({ orgId, id }: DueProperty): Promise<void> {
    await this.database.transaction(orgId, async () => {
      const timezone = await this.rooms.takeMorning(orgId, id, new Date().toISOString());
      if (!timezone) return;
      const inHouse = await this.rooms.inHouse(orgId, id, dayIn(timezone));
      await this.state.lock(orgId, inHouse);
      if (inHouse.length > 0) await this.state.set({ orgId }, inHouse, 'dirty');
      this.properties.scheduleMorning({ orgId, id, timezone, roomStatusFollowsWork: true });
    });
  }
}
