import pg from 'pg';
import type { DataSourceOptions } from 'typeorm';
import { databaseHosts } from '#database-hosts';
import { SnakeCaseNaming, types } from '#persistence';
import { migrations } from '../platform/migrations/migrations.js';
import { entities } from './entities.js';

/** The roles that the service works as; neither owns a table nor passes row security. */
export const appRoles = { tenant: 'app_user', system: 'app_system' } as const;

interface Connections {
  url: string;
  /** Leaving it out connects as the owner: migrations alone do. */
  role?: (typeof appRoles)[keyof typeof appRoles];
  /** How many connections there may be at the same time. */
  max: number;
  /** Through a pooler that shares sessions: `sessionSettings` are then set for each transaction. */
  isPooled?: boolean;
}

export const sessionSettings = (role?: string): Record<string, string> => ({
  timezone: 'UTC',
  statement_timeout: '30s',
  lock_timeout: '5s',
  ...(role && { role }),
});

/** A start is patient: nodes may start together, and on a machine that is busy. */
const startingTimeoutMs = 10_000;
/**
 * How long a connection is kept that nobody uses. To open one and to plan its statements takes several times as long as a
 * request, and load balancers drop connections that are idle for some minutes.
 */
const idleTimeoutMs = 60_000;

export const dataSourceOptions = ({ url, role, max, isPooled }: Connections): DataSourceOptions => ({
  type: 'postgres',
  // TypeORM would load a second pg from node_modules, and look for pg-native.
  driver: pg,
  nativeDriver: false,
  url: databaseHosts(url).connectionString,
  entities,
  migrations,
  migrationsTransactionMode: 'each',
  installExtensions: false,
  namingStrategy: new SnakeCaseNaming(),
  extra: {
    Client: databaseHosts(url).Client,
    max,
    types,
    connectionTimeoutMillis: startingTimeoutMs,
    idleTimeoutMillis: idleTimeoutMs,
    keepAlive: true,
    ...(!isPooled && { options: startupOptions(sessionSettings(role)) }),
  },
});

const startupOptions = (settings: Record<string, string>): string =>
  Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
