import type { NestExpressApplication } from '@nestjs/platform-express';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#embedded-postgres';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { inspect } from 'node:util';
import { CONFIG, type Config, readConfig, tellsCauses } from '../platform/config/app.config.js';
import { createApp } from './app.js';
import { Cell } from './cell.service.js';
import { FirstStart, type Generated } from './first-start.js';
import { Readiness } from '../platform/health/readiness.js';
import { loadKeyring } from './keyring-file.js';
import { migrate } from './migrate.js';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** The running process: what was started, in the order in which it is to be stopped. */
interface Running {
  app?: NestExpressApplication;
  postgres?: EmbeddedPostgres;
}

async function start(running: Running): Promise<void> {
  const config = readConfig();
  const keyring = loadKeyring(config.dataDir);
  if (!config.databaseUrl) {
    running.postgres = await startEmbeddedPostgres({ dataDir: join(config.dataDir, 'postgres'), say });
  }
  const databaseUrl = config.databaseUrl ?? (running.postgres as EmbeddedPostgres).url;
  await migrate(databaseUrl);
  running.app = await createApp({ config, keyring, databaseUrl });
  await running.app.get(Cell).claim();
  // By now the features listen to each other: the stays of the demo bring their tasks with them.
  await running.app.init();
  const generated = await running.app.get(FirstStart).prepare({ demo: true });
  await running.app.listen(config.port, config.host);
  announce(config, generated);
}

function announce(config: Config, { email, password, apiKey }: Generated): void {
  if (email) say(`owner email: ${email}`);
  if (password) say(`owner password: ${password}`);
  if (apiKey) say(`api key: ${apiKey}`);
  if (config.databaseUrl && !config.redisUrl) {
    say('limits: counted in this process only; a second HTTP node on this database needs REDIS_URL');
  }
  say(`REST ${config.baseUrl}/api/v1 · MCP ${config.mcpUrl}/mcp · reference ${config.baseUrl}/docs`);
  const { baseUrl, mcpUrl, region } = config;
  say(JSON.stringify({ ready: true, baseUrl, mcpUrl, region }));
}

/** Load balancers are notified first, and get time to react. */
async function drain({ app }: Running): Promise<void> {
  if (!app) return;
  app.get(Readiness).drain();
  await wait(app.get<Config>(CONFIG).drainSeconds * 1_000);
}

async function stop({ app, postgres }: Running): Promise<void> {
  await app?.close();
  await postgres?.stop();
}

const running: Running = {};
let stopping = false;
function end(): void {
  if (stopping) return;
  stopping = true;
  drain(running)
    .then(() => stop(running))
    .then(() => process.exit(0), fail);
}
// The last is the end of a parent to which there was a channel (`ops regions`).
process.on('SIGTERM', end).on('SIGINT', end).on('disconnect', end);

function fail(error: unknown): never {
  process.stderr.write(`${error instanceof Error ? error.message : inspect(error)}\n`);
  if (tellsCauses()) process.stderr.write(`${inspect(error)}\n`);
  process.exit(1);
}

start(running).catch(async (error: unknown) => {
  await stop(running).catch(() => undefined);
  fail(error);
});
