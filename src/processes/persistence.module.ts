import { Global, Inject, Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import type { PoolClient } from 'pg';
import { connect, type Connected, Cursors, TenantDatabase } from '#persistence';
import { Keyring } from '#secrets';
import { SystemDatabase } from '#system-database';
import { CONFIG, type Config } from '../platform/config/app.config.js';
import { Metrics } from '../platform/metrics/metrics.js';
import { appRoles, dataSourceOptions, sessionSettings } from './data-source.js';

/** The owner's connection URL: configured, or the embedded database's. */
export const DATABASE_URL = Symbol('database url');

const tenantConnections = 16;
/** Of one organization: the other half is for others. */
const tenantConnectionsOfOne = 8;
const systemConnections = 4;

async function connectAs(
  url: string,
  { databaseWaitMs, databaseListenUrl }: Config,
  role: (typeof appRoles)[keyof typeof appRoles],
  max: number,
): Promise<Connected> {
  const isPooled = databaseListenUrl !== undefined;
  const options = dataSourceOptions({ url, role, max, isPooled });
  const connected = await connect(options, isPooled ? sessionSettings(role) : undefined);
  connected.pool.options.connectionTimeoutMillis = databaseWaitMs;
  connected.pool.on('acquire', keepAlive);
  return connected;
}

/**
 * A connection that is lost while a query runs rejects the query; without a listener it would also end the process. The
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
    await Promise.all([this.tenant.close(), this.system.close()]);
  }

  private measure(metrics: Metrics): void {
    for (const [pool, database] of Object.entries({ tenant: this.tenant, system: this.system })) {
      const { idle, inUse, waiting } = database.connections.counts;
      metrics.set('databaseConnections', [pool, 'idle'], idle);
      metrics.set('databaseConnections', [pool, 'in use'], inUse);
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
      useFactory: async (url: string, config: Config) =>
        new TenantDatabase(await connectAs(url, config, appRoles.tenant, tenantConnections), tenantConnectionsOfOne),
    },
    {
      provide: SystemDatabase,
      inject: [DATABASE_URL, CONFIG],
      useFactory: async (url: string, config: Config) =>
        new SystemDatabase(await connectAs(url, config, appRoles.system, systemConnections)),
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
