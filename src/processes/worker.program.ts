import type { NestExpressApplication } from '@nestjs/platform-express';
import { inspect } from 'node:util';
import { readConfig } from '../platform/config/app.config.js';
import { createApp } from './app.js';
import { Cell } from './cell.service.js';
import { loadKeyring } from './keyring-file.js';
import { migrate } from './migrate.js';

/**
 * The process that serves no requests: it sends webhooks and mail, reads calendars, makes recurring tasks and deletes
 * what has expired, beside any number of HTTP nodes. Due work is rows, so each is done once, whichever process comes
 * first.
 */
async function start(): Promise<NestExpressApplication> {
  const config = readConfig();
  const { databaseUrl } = config;
  if (!databaseUrl) {
    throw new Error(
      'A worker needs DATABASE_URL, because the embedded database belongs to the process that started it.',
    );
  }
  await migrate(config.databaseListenUrl ?? databaseUrl);
  const app = await createApp({
    config: { ...config, works: true },
    keyring: loadKeyring(config.dataDir),
    databaseUrl,
  });
  await app.get(Cell).claim();
  return await app.init();
}

try {
  const app = await start();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      process.stdout.write(`${JSON.stringify({ stopping: true, worker: true })}\n`);
      void app.close().then(() => process.exit(0));
    });
  }
  process.stdout.write(`${JSON.stringify({ ready: true, worker: true })}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : inspect(error)}\n`);
  process.exit(1);
}
