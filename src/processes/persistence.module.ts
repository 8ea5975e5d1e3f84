import { Global, Inject, Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import type { Pool, PoolClient } from 'pg';
import { DataSource } from 'typeorm';
import { Cursors, TenantDatabase } from '#persistence';
import { Keyring } from '#secrets';
import { SystemDatabase } from '#system-database';
import { CONFIG, type Config } from '../platform/config/app.config.js';
import { Metrics } from '../platform/metrics/metrics.js';
import { appRoles, dataSourceOptions } from '../../ormconfig.js';

/** The owner's connection URL: configured, or the embedded database's. */
export const DATABASE_URL = Symbol('database url');

const tenantConnections = 16;
/** Of one organization: the other half is for others. */
const tenantConnectionsOfOne = 8;
const systemConnections = 4;

async function connect(
  { url, waitMs }: { url: string; waitMs: number },
  role: (typeof appRoles)[keyof typeof appRoles],
  max: number,
): Promise<DataSource> {
  const source = await new DataSource(dataSourceOptions({ url, role, max })).initialize();
  const pool = poolOf(source);
  pool.options.connectionTimeoutMillis = waitMs;
  pool.on('acquire', keepAlive);
  return source;
}

const poolOf = ({ driver }: DataSource): Pool => (driver as unknown as { master: Pool }).master;

/**
 * A connection that is lost while a query runs tells the query; without a listener it would also end the process. The
 * pool's own listener is still there when it lends a connection and goes right after, so it does not count.
 */
function keepAlive(client: PoolClient): void {
  if (!client.listeners('error').includes(ignore)) client.on('error', ignore);
}

const ignore = (): void => undefined;

@Injectable()
class Connections implements OnApplicationShutdown {
  constructor(
    @Inject(TenantDatabase) private readonly tenant: TenantDatabase,
    @Inject(SystemDatabase) private readonly system: SystemDatabase,
    metrics: Metrics,
  ) {
    metrics.beforeReading(() => this.measure(metrics));
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.tenant.dataSource.destroy(), this.system.dataSource.destroy()]);
  }

  private measure(metrics: Metrics): void {
    for (const [pool, { dataSource, waiting }] of Object.entries({ tenant: this.tenant, system: this.system })) {
      const { totalCount, idleCount } = poolOf(dataSource);
      metrics.set('databaseConnections', [pool, 'idle'], idleCount);
      metrics.set('databaseConnections', [pool, 'in use'], totalCount - idleCount);
      metrics.set('databaseWaiting', [pool], waiting);
    }
  }
}

@Global()
@Module({
  providers: [
    {
      provide: TenantDatabase,
      inject: [DATABASE_URL, CONFIG],
      useFactory: async (url: string, { databaseWaitMs: waitMs }: Config) =>
        new TenantDatabase(await connect({ url, waitMs }, appRoles.tenant, tenantConnections), tenantConnectionsOfOne),
    },
    {
      provide: SystemDatabase,
      inject: [DATABASE_URL, CONFIG],
      useFactory: async (url: string, { databaseWaitMs: waitMs }: Config) =>
        new SystemDatabase(await connect({ url, waitMs }, appRoles.system, systemConnections)),
    },
    {
      provide: Cursors,
      inject: [Keyring],
      useFactory: (keyring: Keyring) => new Cursors(keyring.derive('cursors')),
    },
    Connections,
  ],
  exports: [TenantDatabase, SystemDatabase, Cursors],
})
export class PersistenceModule {}
