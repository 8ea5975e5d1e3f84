import { Injectable } from '@nestjs/common';
import { Jobs, schedules, type Work } from '#jobs';
import { TenantDatabase } from '#persistence';
import { UnitBlocksService } from '../blocks/unit-blocks.service.js';
import { DueDaysRepository, type DueRecord, soonestBlockEnd } from './due-days.repository.js';

/** Ends blocks whose last night is over. */
@Injectable()
export class BlockEnds implements Work<DueRecord> {
  readonly name = 'block-ends';
  readonly lane = schedules;
  readonly soonest = soonestBlockEnd;

  constructor(
    private readonly days: DueDaysRepository,
    private readonly blocks: UnitBlocksService,
    private readonly database: TenantDatabase,
    jobs: Jobs,
  ) {
    jobs.take(this);
  }

  due(now: string): Promise<DueRecord[]> {
    return this.days.blocks(now);
  }

  async perform({ orgId, id }: DueRecord): Promise<void> {
    await this.database.transaction(orgId, () => this.blocks.endIfOver(orgId, id));
  }
}
