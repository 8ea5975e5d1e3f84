import pg from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { sharesSessions } from './batch.js';

/** What TypeORM knows of the entities, and the pool of connections that it opened. */
export interface Connected {
  readonly dataSource: DataSource;
  readonly pool: pg.Pool;
  /** Set by name for each transaction, where a pooler between here and PostgreSQL shares sessions between clients. */
  readonly settings?: Readonly<Record<string, string>>;
}

/**
 * Connects, and keeps hold of the pool. TypeORM opens its pool by the class of the driver that it is given, and does not
 * hand it out.
 *
 * @throws Error if the server is unreachable.
 */
export async function connect(options: DataSourceOptions, settings?: Connected['settings']): Promise<Connected> {
  const opened: pg.Pool[] = [];
  class Pool extends pg.Pool {
    constructor(wishes: pg.PoolConfig) {
      super(wishes);
      opened.push(this);
      if (settings) this.on('connect', (client) => sharesSessions.add(client));
    }
  }
  const dataSource = await new DataSource({ ...options, driver: { ...pg, Pool } }).initialize();
  const [pool] = opened;
  if (!pool) throw new Error('TypeORM opened no pool');
  return { dataSource, pool, settings };
}
