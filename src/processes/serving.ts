import type { NestExpressApplication } from '@nestjs/platform-express';
import { setTimeout as wait } from 'node:timers/promises';
import type { Config } from '../platform/config/app.config.js';
import { Readiness } from '../platform/health/readiness.js';
import { createApp } from './app.js';
import { Cell } from './cell.service.js';
import { FirstStart, type Generated } from './first-start.js';
import { loadKeyring } from './keyring-file.js';
import { migrate } from './migrate.js';
import type { Narrator } from './narrator.js';

/** The service on its database, from the migrations to the last response. */
export class Serving {
  private app?: NestExpressApplication;

  constructor(
    private readonly config: Config,
    private readonly narrator: Narrator,
  ) {}

  /** @returns what was generated, if this is the first start. */
  async begin(databaseUrl: string): Promise<Generated> {
    const { config, narrator } = this;
    const keyring = loadKeyring(config.dataDir);
    await narrator.during('Migrating the database', () => migrate(config.databaseListenUrl ?? databaseUrl));
    this.app = await createApp({ config, keyring, databaseUrl });
    await this.app.get(Cell).claim();
    // By now the features listen to each other: the stays of the demo bring their tasks with them.
    await this.app.init();
    const firstStart = this.app.get(FirstStart);
    const generated = await narrator.during('Preparing the organization', () => firstStart.prepare(config));
    await this.app.listen(config.port, config.host);
    return generated;
  }

  /** Load balancers are notified first, and get time to react. */
  async drain(): Promise<void> {
    if (!this.app) return;
    this.app.get(Readiness).drain();
    await wait(this.config.drainSeconds * 1_000);
  }

  async close(): Promise<void> {
    await this.app?.close();
  }
}
