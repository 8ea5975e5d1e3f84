import { Injectable } from '@nestjs/common';
import { heavyWork, Threads, WorkKilled } from '#threads';
import type * as scheduleTimes from './schedule-times.js';
import { scheduleTakesTooLong } from './workflows.errors.js';

const following = heavyWork<typeof scheduleTimes.timesBetween>({
  kind: 'schedule_times',
  module: import.meta.resolve('./schedule-times.js'),
  run: 'timesBetween',
  withinMs: 1_000,
});

/** Evaluates schedules in threads, because people write their rules and one may take any amount of time. */
@Injectable()
export class ScheduleWork {
  constructor(private readonly threads: Threads) {}

  /** @throws validation_error if it takes too long; ThreadsBusy. */
  async timesBetween(orgId: string, ...given: Parameters<typeof scheduleTimes.timesBetween>): Promise<string[]> {
    return await this.threads.run(following, orgId, ...given).catch((error: unknown) => {
      throw error instanceof WorkKilled ? scheduleTakesTooLong() : error;
    });
  }
}
