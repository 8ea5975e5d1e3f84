import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { generateSync } from 'otplib';
import { DataSource } from 'typeorm';
import { Keyring } from '#secrets';
import { dataSourceOptions } from '../../src/processes/data-source.js';
import { migrate } from '../../src/processes/migrate.js';
import { migrations } from '../../src/platform/migrations/migrations.js';
import type { Api, Json } from '../support/api.js';
import { Browser } from '../../faults/page-client.js';
import { clock } from '../support/clock.js';
import { emptyDatabase, type FreshDatabase } from '../support/database.js';
import { feedSettled } from '../support/feed.js';
import { refresh } from '../support/oauth.js';
import { startOps } from '../support/ops.js';
import { isLong } from '../support/sampled.js';
import { type Service, startApp } from '../support/start-app.js';
import { answerOf, portable } from './answers.js';
import { connected, fill, mcpUrl, readSaved, schemaOf } from './saved.js';

/** A data directory of commit 5c22a7e, created by test/upgrade/make/make.mjs. */
const saved = readSaved(join(import.meta.dirname, '5c22a7e.json.br'));
const { credentials } = saved;

let dataDir: string;
let database: FreshDatabase;
let service: Service;
let api: Api;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'pos-upgraded-'));
  for (const [path, content] of Object.entries(saved.files)) {
    mkdirSync(dirname(join(dataDir, path)), { recursive: true });
    writeFileSync(join(dataDir, path), Buffer.from(content, 'base64'));
  }
  database = await emptyDatabase();
  await migrateAsThen(database.url);
  await connected(database.url, (client) => fill(client, saved.database));
  await migrate(database.url);
  clock.set(saved.readAt);
  service = await startApp(
    { DATA_DIR: dataDir, MCP_URL: mcpUrl, WORKER: 'off', OUTBOUND_ALLOW: '127.0.0.0/8' },
    { database, keyring: new Keyring(saved.keyring) },
  );
  await feedSettled(service);
  api = service.api.as(credentials.key);
}, 120_000);
afterAll(async () => {
  clock.restore();
  await service.close();
  await database.drop();
  rmSync(dataDir, { recursive: true });
});

/** Runs the migrations of that release, which are frozen, and compares the tables with the saved ones. */
async function migrateAsThen(url: string): Promise<void> {
  const then = migrations.filter(({ name }) => saved.database.migrations.includes(name));
  const owner = new DataSource({ ...dataSourceOptions({ url, max: 2 }), migrations: then });
  await owner.initialize();
  await owner.runMigrations();
  await owner.destroy();
  expect(await connected(url, schemaOf)).toStrictEqual(saved.database.schema);
}

/**
 * Sentences that a release generates from other fields, which are compared as well. Releases may word them differently,
 * or omit them.
 */
const sentence = /^\/me\.hiddenBecause$|^\/workflows\b.*\.summary\.\d+$/;

/** Readiness has more reasons now: what was not ready is still not ready, for the same reasons and perhaps others. */
function isAsReady(before: Json, now: Json, path: string): boolean {
  if (path.endsWith('.readiness')) return before === 'ready' && now === 'not_ready';
  return path.endsWith('.notReadyBecause') && before.every((reason: string) => now.includes(reason));
}

/** Roles may gain the permissions of new operations, and lose none. */
const hasGained = (before: Json, now: Json, path: string): boolean =>
  /^\/roles\b.*\.permissions$/.test(path) && before.every((permission: string) => now.includes(permission));

/** Imports of calendars and simulated systems keep the ids that they have there. */
const isReferred = (before: Json, now: Json, path: string): boolean =>
  /^\/reservations\b.*\.externalRefs$/.test(path) && before.length === 0 && now.length === 1;

/** What the old release returned, and is missing or different now; new fields do not count. */
function differences(before: Json, now: Json, path: string): string[] {
  if (isAsReady(before, now, path) || hasGained(before, now, path) || isReferred(before, now, path)) return [];
  if (typeof before !== 'object' || before === null) {
    const isSame = sentence.test(path) ? now === null || typeof before === typeof now : Object.is(before, now);
    return isSame ? [] : [`${path}: ${JSON.stringify(before)} was, ${JSON.stringify(now)} is`];
  }
  if (typeof now !== 'object' || now === null || Array.isArray(before) !== Array.isArray(now)) return [`${path}: gone`];
  const longer = Array.isArray(before) && before.length !== now.length ? [`${path}: ${now.length} items`] : [];
  const keys = Object.keys(before as object);
  return [...longer, ...keys.flatMap((key) => differences(before[key], now[key], `${path}.${key}`))];
}

/** Two of the paths that differ only in an id. */
function fewOfEachKind(answers: Record<string, Json>): [string, Json][] {
  const kindOf = ([path]: [string, Json]): string => path.replaceAll(/\w+_[\da-f]{32}/g, '');
  return [...Map.groupBy(Object.entries(answers), kindOf).values()].flatMap((same) => same.slice(0, 2));
}

describe('a data directory of the release 5c22a7e', () => {
  it('shows every record of every list and every path as that release did', async () => {
    const found: string[] = [];
    for (const [path, answer] of isLong ? Object.entries(saved.answers) : fewOfEachKind(saved.answers)) {
      found.push(...differences(answer, await answerOf({ url: service.url, api }, path), path));
    }
    expect(Object.keys(saved.answers).length).toBeGreaterThan(400);
    expect(found).toStrictEqual([]);
  });

  it('reveals the old secrets', async () => {
    const found: string[] = [];
    for (const [path, before] of Object.entries(saved.reveals)) {
      const { status, body } = await api.post(path);
      found.push(...differences([200, before], [status, portable(service.url, body.data)], path));
    }
    expect(Object.keys(saved.reveals).length).toBeGreaterThan(20);
    expect(found).toStrictEqual([]);
  });

  it('keeps the files', async () => {
    const task = await taskWithFile();
    const { status, headers } = await fetch(task.attachments[0].url as string);
    expect([status, headers.get('content-type')]).toStrictEqual([200, 'image/png']);
  });

  it('passes the verification of the audit trail, including new entries', async () => {
    expect((await api.post('/tasks', { name: 'After the upgrade' })).status).toBe(201);
    const ops = await startOps(service);
    const verification = await ops('audit verify --org my-organization');
    await ops.close();
    expect(verification.valid).toBe(true);
    expect(verification.entries).toBeGreaterThan(700);
  });

  it('accepts the old password, and the authenticator app', async () => {
    const { email, password } = credentials.owner;
    expect((await new Browser(service.url).signIn(email, password)).path).toBe('/account');
    const browser = new Browser(service.url);
    const page = await browser.signIn(credentials.second.email, credentials.second.password);
    expect(page.path).toContain('/sign-in/code');
    clock.advance(30_000);
    const code = generateSync({ secret: credentials.second.secret, epoch: Math.floor(Date.now() / 1_000) });
    expect((await browser.submit(page, page.path, { code })).path).toBe('/account');
  });

  it('accepts the tokens of an application, and exchanges its refresh token', async () => {
    const { access_token, refresh_token, client_id } = credentials.application;
    expect((await api.as(access_token).get('/tasks')).status).toBe(200);
    const { status, body } = await refresh(service, { client_id, redirectUri: '' }, refresh_token);
    expect([status, typeof body.access_token]).toStrictEqual([200, 'string']);
    expect((await api.as(body.access_token as string).get('/tasks')).status).toBe(200);
  });

  it('replays a repeated write with the old response', async () => {
    const { key, input, data } = credentials.idempotent;
    const { status, body } = await api.post('/tasks', input, { 'idempotency-key': key });
    expect([status, body.data]).toStrictEqual([201, data]);
  });
});

/** The first old record of a list. */
const first = (list: string, isSo: (record: Json) => boolean = () => true): Json =>
  (saved.answers[list] as Json[]).find(isSo);
const taskWithFile = async (): Promise<Json> =>
  (await api.get(`/tasks/${first('/tasks', ({ attachments }) => attachments.length > 0).id}`)).body.data;
const by = (list: string, path = '', isSo?: (record: Json) => boolean): string =>
  `${list}/${first(list, isSo).id}${path}`;
const isLock = ({ type }: Json): boolean => type === 'lock';

/** A write of each feature, to an old record. */
const writes: [string, () => Promise<{ status: number; text: string }>][] = [
  ['tasks', () => api.post(by('/tasks', '/complete', ({ status }) => status === 'pending'))],
  [
    'attachments',
    async () =>
      api.delete(`/tasks/${(await taskWithFile()).id}/attachments/${(await taskWithFile()).attachments[0].id}`),
  ],
  ['properties', () => api.patch(by('/properties'), { name: 'Renamed' })],
  ['reservations', () => api.patch(by('/reservations'), { notes: 'Late' })],
  ['guests', () => api.patch(by('/guests'), { phone: '+351 555 0101' })],
  ['devices', () => api.patch(by('/devices', '', isLock), { name: 'Front door' })],
  ['access codes', () => api.patch(by('/access-codes'), { name: 'Gardeners' })],
  ['connections', () => api.patch(by('/connections'), { name: 'Renamed' })],
  ['guides', () => api.patch(by('/guides'), { name: 'Renamed' })],
  ['templates', () => api.patch(by('/email-templates'), { subject: 'Hello' })],
  ['workflows', () => api.patch(by('/workflows'), { name: 'Renamed' })],
  ['suppressions', () => api.delete(by('/suppressions'))],
  ['webhook endpoints', () => api.patch(by('/webhook-endpoints'), { description: 'Board' })],
  [
    'roles',
    () =>
      api.patch(
        by('/roles', '', ({ builtIn }) => !builtIn),
        { name: 'Renamed' },
      ),
  ],
  [
    'members',
    () =>
      api.patch(
        by('/members', '', ({ kind }) => kind === 'machine'),
        { name: 'Renamed' },
      ),
  ],
  ['keys', () => api.post(by('/api-keys', '/revoke', ({ prefix, status }) => status === 'active' && !isOurs(prefix)))],
  ['applications', () => api.post(by('/applications?of=organization', '/revoke').replace('?of=organization', ''))],
  ['the organization', () => api.patch('/organization', { name: 'Renamed' })],
];
const isOurs = (prefix: string): boolean => credentials.key.startsWith(prefix);

it.each(writes)('accepts a write to an old record: %s', async (_, write) => {
  const { status, text } = await write();
  expect([200, 204].includes(status) ? '' : text).toBe('');
});
