import { type EmbeddedPostgres, startEmbeddedPostgres } from '#embedded-postgres';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { inspect } from 'node:util';
import { type Config, readConfig, printsCauses } from '../platform/config/app.config.js';
import { plainAnnouncement, readableAnnouncement } from './announcement.js';
import { refuseTakenPort } from './free-port.js';
import { plainNarrator, terminalNarrator } from './narrator.js';
import type { Serving } from './serving.js';

const programsStartMs = 25;
const isTerminal = process.stdout.isTTY;
const narrator = isTerminal ? terminalNarrator() : plainNarrator;

/** The running process: what was started, in the order in which it is to be stopped. */
interface Running {
  serving?: Serving;
  postgres?: EmbeddedPostgres;
}

async function start(running: Running): Promise<void> {
  const config = readConfig();
  await refuseTakenPort(config.port, config.host);
  const database = config.databaseUrl ?? startDatabase(running, config);
  const [databaseUrl, service] = await Promise.all([database, load(config)]);
  running.serving = new service.Serving(config, narrator);
  const generated = await running.serving.begin(databaseUrl);
  const announcement = isTerminal ? readableAnnouncement : plainAnnouncement;
  for (const line of announcement(config, generated)) narrator.say(line);
}

/** Loads the service while our own database starts. Loading holds the event loop, so the programs of the database start first. */
async function load({ databaseUrl }: Config): Promise<typeof import('./serving.js')> {
  if (!databaseUrl) await wait(programsStartMs);
  return await import('./serving.js');
}

async function startDatabase(running: Running, { dataDir }: Config): Promise<string> {
  running.postgres = await narrator.during('Starting the database', () =>
    startEmbeddedPostgres({ dataDir: join(dataDir, 'postgres'), say: narrator.say }),
  );
  return running.postgres.url;
}

async function stop({ serving, postgres }: Running): Promise<void> {
  await serving?.close();
  await postgres?.stop();
}

const running: Running = {};
let stopping = false;
function end(): void {
  if (stopping) return;
  stopping = true;
  narrator.say(isTerminal ? 'Stopping: requests in progress are finished first.' : JSON.stringify({ stopping: true }));
  const draining = running.serving?.drain() ?? Promise.resolve();
  draining.then(() => stop(running)).then(() => process.exit(0), fail);
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
