import type { NestExpressApplication } from '@nestjs/platform-express';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#embedded-postgres';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { inspect } from 'node:util';
import { CONFIG, type Config, readConfig, printsCauses } from '../platform/config/app.config.js';
import { createApp } from './app.js';
import { Cell } from './cell.service.js';
import { plainAnnouncement, readableAnnouncement } from './announcement.js';
import { FirstStart } from './first-start.js';
import { refuseTakenPort } from './free-port.js';
import { plainNarrator, terminalNarrator } from './narrator.js';
import { Readiness } from '../platform/health/readiness.js';
import { loadKeyring } from './keyring-file.js';
import { migrate } from './migrate.js';

const isTerminal = process.stdout.isTTY;
const narrator = isTerminal ? terminalNarrator() : plainNarrator;

/** The running process: what was started, in the order in which it is to be stopped. */
interface Running {
  app?: NestExpressApplication;
  postgres?: EmbeddedPostgres;
}

async function start(running: Running): Promise<void> {
  const config = readConfig();
  await refuseTakenPort(config.port, config.host);
  const keyring = loadKeyring(config.dataDir);
  const databaseUrl = config.databaseUrl ?? (await startDatabase(running, config));
  await narrator.during('Migrating the database', () => migrate(config.databaseListenUrl ?? databaseUrl));
  running.app = await createApp({ config, keyring, databaseUrl });
  await running.app.get(Cell).claim();
  // By now the features listen to each other: the stays of the demo bring their tasks with them.
  await running.app.init();
  const firstStart = running.app.get(FirstStart);
  const generated = await narrator.during('Preparing the organization', () => firstStart.prepare(config));
  await running.app.listen(config.port, config.host);
  const announcement = isTerminal ? readableAnnouncement : plainAnnouncement;
  for (const line of announcement(config, generated)) narrator.say(line);
}

async function startDatabase(running: Running, { dataDir }: Config): Promise<string> {
  running.postgres = await narrator.during('Starting the database', () =>
    startEmbeddedPostgres({ dataDir: join(dataDir, 'postgres'), say: narrator.say }),
  );
  return running.postgres.url;
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
  narrator.say(isTerminal ? 'Stopping: requests in progress are finished first.' : JSON.stringify({ stopping: true }));
  drain(running)
    .then(() => stop(running))
    .then(() => process.exit(0), fail);
}
// The last is the end of a parent to which there was a channel (`ops regions`).
process.on('SIGTERM', end).on('SIGINT', end).on('disconnect', end);

function fail(error: unknown): never {
  process.stderr.write(`${error instanceof Error ? error.message : inspect(error)}\n`);
  if (printsCauses()) process.stderr.write(`${inspect(error)}\n`);
  process.exit(1);
}

start(running).catch(async (error: unknown) => {
  await stop(running).catch(() => undefined);
  fail(error);
});
