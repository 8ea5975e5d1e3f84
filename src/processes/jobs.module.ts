import {
  type BeforeApplicationShutdown,
  Global,
  Inject,
  Injectable,
  Logger,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { ClaimedTables, Jobs } from '#jobs';
import { TenantDatabase } from '#persistence';
import { SystemDatabase } from '#system-database';
import { NotifyLine, WakeUps } from '#wake-ups';
import { appRoles } from './data-source.js';
import type { Config } from '../platform/config/app.config.js';
import { CONFIG } from '../platform/config/app.config.js';
import { Metrics } from '../platform/metrics/metrics.js';
import { DATABASE_URL } from './persistence.module.js';

/** Sends and receives wake-ups while the process runs, and starts background work unless WORKER=off. */
@Injectable()
class Working implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown {
  constructor(
    private readonly wakeUps: WakeUps,
    private readonly jobs: Jobs,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    this.wakeUps.open();
    if (this.config.works) this.jobs.start();
  }

  /** While there is a database still. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.jobs.stop();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.wakeUps.close();
  }
}

@Global()
@Module({
  providers: [
    {
      provide: WakeUps,
      inject: [CONFIG, DATABASE_URL],
      useFactory: ({ databaseListenUrl }: Config, databaseUrl: string) => {
        const settings = { url: databaseListenUrl ?? databaseUrl, role: appRoles.system };
        return new WakeUps(new NotifyLine(settings, new Logger(NotifyLine.name)));
      },
    },
    {
      provide: Jobs,
      inject: [CONFIG, DATABASE_URL, SystemDatabase, WakeUps, Metrics],
      useFactory: (
        { redisUrl, region, environment, databaseListenUrl }: Config,
        databaseUrl: string,
        system: SystemDatabase,
        wakeUps: WakeUps,
        metrics: Metrics,
      ) =>
        new Jobs(
          {
            databaseUrl: databaseListenUrl ?? databaseUrl,
            role: appRoles.system,
            redisUrl,
            prefix: `jobs-${region}-${environment}`,
          },
          system,
          wakeUps,
          new Logger(Jobs.name),
          {
            due: (work, rows) => metrics.set('jobsDue', [work], rows),
            ended: (work, result) => metrics.count('jobs', [work, result]),
            atBound: (lane, organizations) => metrics.set('jobsAtBound', [lane], organizations),
          },
        ),
    },
    {
      provide: ClaimedTables,
      inject: [TenantDatabase, SystemDatabase, Jobs],
      useFactory: (tenant: TenantDatabase, system: SystemDatabase, jobs: Jobs) =>
        new ClaimedTables(tenant, system, jobs, new Logger(ClaimedTables.name)),
    },
    Working,
  ],
  exports: [ClaimedTables, Jobs, WakeUps],
})
export class JobsModule {}
