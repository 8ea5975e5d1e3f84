import { Inject, Injectable } from '@nestjs/common';
import { BatchLoader } from '#persistence';
import { SystemDatabase } from '#system-database';
import { type Config, CONFIG } from '../config/app.config.js';
import { firstLookUpMs } from './first-look-up.js';

/**
 * A request with a credential starts with a look-up that has a deadline. Requests without one start with this look-up,
 * so that a page or a calendar does not wait for an unresponsive database.
 */
@Injectable()
export class DatabasePulse {
  /** The deadline, for what a request starts with instead. */
  readonly withinMs: number;
  private readonly looks: BatchLoader<'pulse', true>;

  constructor(database: SystemDatabase, @Inject(CONFIG) config: Config) {
    this.withinMs = firstLookUpMs(config);
    this.looks = new BatchLoader(async (asked) => {
      await database.rows('select 1', [], this.withinMs);
      return asked.map(() => true as const);
    });
  }

  /** @throws service_unavailable. */
  async expect(): Promise<void> {
    await this.looks.load('pulse');
  }
}
