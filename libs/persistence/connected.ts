import pg from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';

/** What TypeORM knows of the entities, and the pool of connections that it opened. */
export interface Connected {
  readonly dataSource: DataSource;
  readonly pool: pg.Pool;
}

/**
 * Connects, and keeps hold of the pool. TypeORM opens its pool by the class of the driver that it is given, and does not
 * hand it out.
 *
 * @throws Error if the server is unreachable.
 */
export async function connect(options: DataSourceOptions): Promise<Connected> {
  const opened: pg.Pool[] = [];
  class Pool extends pg.Pool {
    constructor(settings: pg.PoolConfig) {
      super(settings);
      opened.push(this);
    }
  }
  const dataSource = await new DataSource({ ...options, driver: { ...pg, Pool } }).initialize();
  const [pool] = opened;
  if (!pool) throw new Error('TypeORM opened no pool');
  return { dataSource, pool };
}
