import { mkdtempSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import type { Keyring, KeyringData } from '#secrets';
import { loadKeyring } from '../../../src/processes/keyring-file.js';
import { clock } from '../../support/clock.js';
import { type FreshDatabase, freshDatabase } from '../../support/database.js';
import { feedSettled } from '../../support/feed.js';
import { openModelWorld } from '../../support/model-world.js';
import { type Service, startApp } from '../../support/start-app.js';
import { connected, mcpUrl, type Saved, saveDatabase } from '../saved.js';
import { readAll, revealAll } from './reading.js';
import { addRecords } from './records.js';

const dataDir = mkdtempSync(join(tmpdir(), 'pos-upgrade-'));
const env = { DATA_DIR: dataDir, OUTBOUND_ALLOW: '127.0.0.0/8', MCP_URL: mcpUrl };
let shared: { database: FreshDatabase; keyring: Keyring };

/** The service of the old release on the data directory to save. */
export async function openOld(): Promise<Service> {
  shared = { database: await freshDatabase(), keyring: loadKeyring(dataDir) };
  return await startApp(env, shared);
}

/** Stops it, creates the rest of the records, reads all of them and writes UPGRADE_FILE. */
export async function saveOld(service: Service): Promise<void> {
  await service.close();
  const world = await openModelWorld({ ...env, TRUSTED_PROXIES: '1' }, shared);
  const credentials = await addRecords(world);
  await feedSettled(world.service);
  await world.close();
  const database = await connected(shared.database.url, saveDatabase);
  const readAt = new Date().toISOString();
  clock.set(readAt);
  const reader = await startApp({ ...env, WORKER: 'off' }, shared);
  await feedSettled(reader);
  const at = { ...reader, api: reader.api.as(credentials.key) };
  const answers = await readAll(at);
  const reveals = await revealAll(at, answers);
  await reader.close();
  clock.restore();
  const files = globSync(join(dataDir, 'attachments/**')).filter((path) => statSync(path).isFile());
  const saved: Saved = {
    readAt,
    keyring: JSON.parse(readFileSync(join(dataDir, 'keys.json'), 'utf8')) as KeyringData,
    files: Object.fromEntries(files.map((path) => [relative(dataDir, path), readFileSync(path).toString('base64')])),
    database,
    credentials,
    answers,
    reveals,
  };
  // Rows and responses have much in common, far apart.
  const params = { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS };
  writeFileSync(process.env.UPGRADE_FILE as string, brotliCompressSync(JSON.stringify(saved), { params }));
  await shared.database.drop();
}
