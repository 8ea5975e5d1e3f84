import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Keyring, newKeyringData } from '#secrets';
import { type FreshDatabase, freshDatabase } from './database.js';
import { startApp } from './start-app.js';

/**
 * A database with an organization, its owner and its first key, and their secrets in the data folder. A process that
 * starts on both creates no demo, which would take twice as long as the rest of the start.
 */
export async function foundedDatabase(dataDir: string, env: Record<string, string> = {}): Promise<FreshDatabase> {
  const database = await freshDatabase();
  await foundOn(database, dataDir, env);
  return database;
}

/** The same on a database that has been migrated. */
export async function foundOn(
  database: FreshDatabase,
  dataDir: string,
  env: Record<string, string> = {},
): Promise<void> {
  const secrets = newKeyringData();
  const service = await startApp({ ...env, WORKER: 'off' }, { database, keyring: new Keyring(secrets) });
  await service.close();
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(join(dataDir, 'keys.json'), JSON.stringify(secrets));
}
