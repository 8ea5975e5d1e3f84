import { Inject, Injectable, Module } from '@nestjs/common';
import { Keyring } from '#secrets';
import { shiftTime } from '#shifted-time';
import { SystemDatabase } from '#system-database';
import type { Config } from '../platform/config/app.config.js';
import { CONFIG } from '../platform/config/app.config.js';

/** The data remember which cell they belong to: its region, its environment and its secrets. */
@Injectable()
export class Cell {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly keyring: Keyring,
    private readonly system: SystemDatabase,
  ) {}

  /**
   * Claims data that belongs to no cell for this cell.
   *
   * @throws Error if it belongs to another region, environment or keyring.
   */
  async claim(): Promise<void> {
    const { region, environment, dataDir } = this.config;
    const keyring = this.keyring.fingerprint;
    await this.system.rows(
      'insert into cell (region, environment, keyring, created_at) values ($1, $2, $3, $4) on conflict do nothing',
      [region, environment, keyring, new Date().toISOString()],
    );
    const [cell] = (await this.system.rows(
      'select region, environment, keyring, clock_offset_seconds as ahead from cell',
    )) as [{ region: string; environment: string; keyring: string; ahead: number }];
    if (cell.region !== region || cell.environment !== environment) {
      throw new Error(
        `This data belongs to region ${cell.region}, environment ${cell.environment}; the service was started for region ${region}, environment ${environment}. Set REGION and ENVIRONMENT to match, or use another DATA_DIR or DATABASE_URL.`,
      );
    }
    if (cell.keyring !== keyring) {
      throw new Error(`The secrets in ${dataDir}/keys.json do not match this data. Restore the original file.`);
    }
    // Only a test environment's clock is ever moved.
    shiftTime(cell.ahead);
  }
}

@Module({ providers: [Cell], exports: [Cell] })
export class CellModule {}
