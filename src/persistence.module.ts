import { Global, Inject, Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import type { Pool, PoolClient } from 'pg';
import { DataSource } from 'typeorm';
import { Cursors, TenantDatabase } from '#persistence';
import { Keyring } from '#secrets';
import { SystemDatabase } from '#system-database';
import { appRoles, dataSourceOptions } from '../ormconfig.js';

/** The owner's connection URL: configured, or the embedded database's. */
export const DATABASE_URL = Symbol('database url');

const tenantConnections = 16;
const systemConnections = 4;

async function connect(url: string, role: (typeof appRoles)[keyof typeof appRoles], max: number): Promise<DataSource> {
  const source = await new DataSource(dataSourceOptions({ url, role, max })).initialize();
  (source.driver as unknown as { master: Pool }).master.on('acquire', keepAlive);
  return source;
}

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
  ) {}

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.tenant.dataSource.destroy(), this.system.dataSource.destroy()]);
  }
}

@Global()
@Module({
  providers: [
    {
      provide: TenantDatabase,
      inject: [DATABASE_URL],
      useFactory: async (url: string) => new TenantDatabase(await connect(url, appRoles.tenant, tenantConnections)),
    },
    {
      provide: SystemDatabase,
      inject: [DATABASE_URL],
      useFactory: async (url: string) => new SystemDatabase(await connect(url, appRoles.system, systemConnections)),
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
