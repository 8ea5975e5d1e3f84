import { Injectable } from '@nestjs/common';
import { Jobs, schedules, type Work } from '#jobs';
import { TenantDatabase } from '#persistence';
import { serviceCaller } from '../../../platform/callers/service-caller.js';
import { StayMoves } from '../stay-moves.service.js';
import { DueDaysRepository, type DueRecord, soonestRoomChange } from './due-days.repository.js';

/** Takes stays in house to the room that was planned from this night on, with their tasks and codes. */
@Injectable()
export class RoomChanges implements Work<DueRecord> {
  readonly name = 'room-changes';
  readonly lane = schedules;
  readonly soonest = soonestRoomChange;

  constructor(
    private readonly days: DueDaysRepository,
    private readonly moves: StayMoves,
    private readonly database: TenantDatabase,
    jobs: Jobs,
  ) {
    jobs.take(this);
  }

  due(now: string): Promise<DueRecord[]> {
    return this.days.roomChanges(now);
  }

  async perform({ orgId, id }: DueRecord): Promise<void> {
    await this.database.transaction(orgId, () => this.moves.changeRoom(serviceCaller(orgId, '', []), id));
  }
}
