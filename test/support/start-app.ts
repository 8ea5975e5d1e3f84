import { createServer } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Keyring, newKeyringData } from '#secrets';
import { type Config, readConfig } from '../../src/platform/config/app.config.js';
import { createApp } from '../../src/processes/app.js';
import { Cell } from '../../src/processes/cell.service.js';
import { Jobs } from '#jobs';
import { FirstStart } from '../../src/processes/first-start.js';
import { type Api, apiOf } from './api.js';
import { clockFollowers } from './clock.js';
import { expectDeclared } from './refusals.js';
import { failUnanswered } from './unanswered.js';
import { type FreshDatabase, freshDatabase } from './database.js';

export interface Service {
  app: NestExpressApplication;
  config: Config;
  keyring: Keyring;
  /** http://localhost:port */
  url: string;
  /** Calls with the first key, which has every scope. */
  api: Api;
  key: string;
  database: FreshDatabase;
  close(): Promise<void>;
}

/** Test files share two cores and delay the event loop and the database, which must not get their requests rejected. */
export const unhurried = { OVERLOAD_DELAY_MS: '0', DATABASE_WAIT_MS: '10000' };

const adminKey = 'sk_live_first_key_of_the_tests_0123456789';

export const owner = { email: 'owner@tests.example', password: 'correct horse battery staple' };

/** The whole service in this process, on a database and a port of its own. */
export async function startApp(
  env: Record<string, string> = {},
  shared: Partial<Pick<Service, 'database' | 'keyring'>> = {},
): Promise<Service> {
  const database = shared.database ?? (await freshDatabase());
  const port = env.PORT ? Number(env.PORT) : await freePort();
  const dataDir = mkdtempSync(join(tmpdir(), 'pos-data-'));
  const key = env.ADMIN_API_KEY ?? (env.ENVIRONMENT === 'test' ? adminKey.replace('live', 'test') : adminKey);
  const config = readConfig({
    PORT: String(port),
    DATA_DIR: dataDir,
    LOG_LEVEL: 'silent',
    ...unhurried,
    ADMIN_EMAIL: owner.email,
    ADMIN_PASSWORD: owner.password,
    ADMIN_API_KEY: key,
    ...env,
  });
  const keyring = shared.keyring ?? new Keyring(newKeyringData());
  const app = await createApp({ config, keyring, databaseUrl: database.url });
  await app.get(Cell).claim();
  app.useGlobalInterceptors(failUnanswered);
  await app.init();
  await app.get(FirstStart).prepare({ demo: false });
  await app.listen(port, '127.0.0.1');
  const url = `http://localhost:${port}`;
  const look = (): void => app.get(Jobs).look();
  clockFollowers.add(look);
  return {
    app,
    config,
    keyring,
    url,
    key,
    api: apiOf(url, key),
    database,
    close: async () => {
      clockFollowers.delete(look);
      await app.close();
      rmSync(dataDir, { recursive: true, force: true });
      if (!shared.database) await database.drop();
      expectDeclared();
    },
  };
}

/**
 * Below the ports that the system gives to connections, so that none takes the port before the service listens on it.
 */
const [lowestPort, highestPort] = [11_000, 32_000];
let lastPort = lowestPort + Math.floor(Math.random() * (highestPort - lowestPort));

export async function freePort(): Promise<number> {
  for (;;) {
    lastPort = lastPort < highestPort ? lastPort + 1 : lowestPort;
    const port = lastPort;
    const server = createServer().listen(port);
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('listening', () => resolve(true)).once('error', () => resolve(false));
    });
    if (!isFree) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}
