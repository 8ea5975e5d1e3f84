import { join } from 'node:path';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { findEmbeddedPostgres, startEmbeddedPostgres } from '#embedded-postgres';
import type { Config } from '../../platform/config/app.config.js';
import { Cell } from '../cell.service.js';
import { loadKeyring } from '../keyring-file.js';
import { migrate } from '../migrate.js';
import type { Environment } from '../environment.module.js';
import { OpsModule } from './ops.module.js';

export interface OpenService {
  service: INestApplicationContext;
  close(): Promise<void>;
}

/** The service without its doors, on its data: beside a running one, or alone for as long as the command takes. */
export async function openService(config: Config): Promise<OpenService> {
  const keyring = loadKeyring(config.dataDir);
  const database = await findDatabase(config);
  try {
    await migrate(config.databaseListenUrl ?? database.url);
    const service = await createService({ config, keyring, databaseUrl: database.url });
    const close = async (): Promise<void> => {
      try {
        await service.close();
      } finally {
        await database.stop();
      }
    };
    return { service, close };
  } catch (error) {
    await database.stop();
    throw error;
  }
}

/**
 * A command's follow-up work, such as mail, is done by the running service.
 *
 * @throws Error if the data belong to another cell.
 */
export async function createService(environment: Environment): Promise<INestApplicationContext> {
  const service = await NestFactory.createApplicationContext(
    OpsModule.of({ ...environment, config: { ...environment.config, works: false } }),
    {
      logger: false,
      abortOnError: false,
    },
  );
  try {
    await service.get(Cell).claim();
    return service;
  } catch (error) {
    await service.close();
    throw error;
  }
}

/** Where the embedded database is in a data directory. */
export const postgresDirOf = (dataDir: string): string => join(dataDir, 'postgres');

interface FoundDatabase {
  url: string;
  stop(): Promise<void>;
}

/** DATABASE_URL, or the database of the service that runs on DATA_DIR, or else one that is started there. */
export async function findDatabase({ databaseUrl, dataDir }: Config): Promise<FoundDatabase> {
  const postgresDir = postgresDirOf(dataDir);
  const url = databaseUrl ?? (await findEmbeddedPostgres(postgresDir));
  return url ? { url, stop: () => Promise.resolve() } : await startEmbeddedPostgres({ dataDir: postgresDir });
}
