import {
  type BeforeApplicationShutdown,
  Global,
  Inject,
  Injectable,
  Logger,
  Module,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { ClaimedTables, Jobs } from '#jobs';
import { TenantDatabase } from '#persistence';
import { SystemDatabase } from '#system-database';
import { appRoles } from '../../ormconfig.js';
import type { Config } from '../platform/config/app.config.js';
import { CONFIG } from '../platform/config/app.config.js';
import { Metrics } from '../platform/metrics/metrics.js';
import { DATABASE_URL } from './persistence.module.js';

/** Works while the process runs, if it is one that works. */
@Injectable()
class Working implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(
    private readonly jobs: Jobs,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    if (this.config.works) this.jobs.start();
  }

  /** While there is a database still. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.jobs.stop();
  }
}

@Global()
@Module({
  providers: [
    {
      provide: Jobs,
      inject: [CONFIG, DATABASE_URL, Metrics],
      useFactory: ({ redisUrl, region, environment }: Config, databaseUrl: string, metrics: Metrics) =>
        new Jobs(
          { databaseUrl, role: appRoles.system, redisUrl, prefix: `jobs-${region}-${environment}` },
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
      inject: [TenantDatabase, SystemDatabase],
      useFactory: (tenant: TenantDatabase, system: SystemDatabase) =>
        new ClaimedTables(tenant, system, new Logger(ClaimedTables.name)),
    },
    Working,
  ],
  exports: [ClaimedTables, Jobs],
})
export class JobsModule {}
