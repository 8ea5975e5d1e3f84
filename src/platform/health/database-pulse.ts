import { Inject, Injectable } from '@nestjs/common';
import { GatheringLoader } from '#persistence';
import { SystemDatabase } from '#system-database';
import { type Config, CONFIG } from '../config/app.config.js';
import { firstLookUpMs } from './first-look-up.js';

/**
 * A request with a credential begins with a look-up that has a deadline. What is open to all begins with this one, so
 * that a page, a calendar or the token endpoint does not wait for a database that stands still.
 */
@Injectable()
export class DatabasePulse {
  private readonly looks: GatheringLoader<'pulse', true>;

  constructor(database: SystemDatabase, @Inject(CONFIG) config: Config) {
    const withinMs = firstLookUpMs(config);
    this.looks = new GatheringLoader(async (asked) => {
      await database.rows('select 1', [], withinMs);
      return asked.map(() => true as const);
    });
  }

  /** @throws service_unavailable. */
  async expect(): Promise<void> {
    await this.looks.load('pulse');
  }
}
