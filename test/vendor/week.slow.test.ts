import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { randomFrom } from '../../faults/random-kills/random.js';
import type * as TheClient from '../../clients/typescript/src/index.js';
import { apiOf } from '../support/api.js';
import { type ChildService, newDataDir, removeDataDir, startChild } from '../support/child-service.js';
import { builtClient, projectWithClient } from '../support/client-package.js';
import type { FreshDatabase } from '../support/database.js';
import { keyWith } from '../support/factories.js';
import { foundedDatabase } from '../support/founded.js';
import { isLong } from '../support/sampled.js';
import { freePort } from '../support/start-app.js';
import { type Client, Followers } from './copies.js';
import { Pms, shuffled, type Sizes, type Stay } from './pms.js';
import { send, type Sent } from './sending.js';

/**
 * A week of a vendor: its system loads its customers' stays, then saves changes, while four programs follow. It uses
 * the client, in the long form as npm installs it, and a service that is killed in the middle.
 */
const forms: Record<string, Sizes> = {
  small: { properties: 2, rooms: 10, stays: 60, changes: 30 },
  tenth: { properties: 4, rooms: 10, stays: 2_000, changes: 300 },
  whole: { properties: 40, rooms: 10, stays: 20_000, changes: 3_000 },
};
const form = process.env.WEEK ?? (isLong ? 'whole' : 'small');
const sizes = forms[form] as Sizes;
const connections = 8;
/** A follower that learns of no other stay for this long has lost some. */
const stalledMs = 60_000;

const key = 'sk_test_first_key_of_the_vendor_0123456789';
const random = randomFrom(20_000);
const pms = new Pms(sizes, random);
const hashes = new Map<string, string>();

let database: FreshDatabase;
let child: ChildService;
let start: () => Promise<ChildService>;
let clients: Client[];
let pos: Client;
let verify: typeof TheClient.verifyWebhook;
let connectionId: string;
let followers: Followers;
/** The vendor's ids of rooms by ours. */
const roomRefs = new Map<string, string>();
const dataDir = newDataDir();

beforeAll(async () => {
  const [client, port] = [isLong ? installedClient() : builtClient(), await freePort()];
  const env = { ENVIRONMENT: 'test', ADMIN_API_KEY: key, OUTBOUND_ALLOW: '127.0.0.1' };
  database = await foundedDatabase(dataDir, env);
  start = () => startChild(dataDir, { ...env, DATABASE_URL: database.url, PORT: String(port) });
  child = await start();
  const { key: apiKey } = await keyWith(apiOf(child.url, key));
  const { PropertyOperations, verifyWebhook } = (await import(await client)) as typeof TheClient;
  const connected = (): Client => new PropertyOperations({ baseUrl: child.url, apiKey });
  [clients, pos, verify] = [Array.from({ length: connections }, connected), connected(), verifyWebhook];
}, 60_000);
afterAll(async () => {
  await child.kill('SIGKILL');
  await database.drop();
  removeDataDir(dataDir);
});

async function installedClient(): Promise<string> {
  return join(await projectWithClient(), 'node_modules/@property-operations/client/dist/index.js');
}

async function reservationEvents(): Promise<string[]> {
  const document = (await (await fetch(`${child.url}/openapi.json`)).json()) as { webhooks: object };
  return Object.keys(document.webhooks).filter((type) => type.startsWith('reservation.'));
}

async function connect(): Promise<Set<string>> {
  const settings = { ownsOverlaps: true, fields: 'all' };
  const { data } = await pos.createConnection({ provider: 'push', kind: 'pms', name: 'Vendor', settings });
  connectionId = data.id;
  const items = pms.properties.map((externalId) => ({ externalId, name: externalId, timezone: 'Europe/Lisbon' }));
  return new Set((await pos.savePropertiesInBulk({ connectionId, items })).data.map(({ id }) => id as string));
}

/** Before anything is loaded, so that they see all of it. */
async function follow(propertyIds: Set<string>): Promise<void> {
  followers = new Followers(pos, propertyIds);
  await followers.byWebhook(verify, await reservationEvents());
  followers.byUpdatedSince(new Date().toISOString());
  followers.byFeed((await pos.listReservations({ limit: 1 })).meta.feedCursor as string);
  // Events may be held back for a while by other transactions in the database.
  let last = '';
  for (; !last; await pause(100))
    for await (const { id } of pos.listEvents.all({ types: ['property.created'] })) last = id;
  followers.byStream(last);
}

async function load(): Promise<void> {
  const types = pms.properties.map((propertyRef) => ({
    propertyRef,
    externalId: pms.typeOf(propertyRef),
    name: 'Double',
  }));
  await pos.saveUnitTypesInBulk({ connectionId, items: types });
  const rooms = pms.rooms.map((room) => ({ ...room, unitTypeRef: pms.typeOf(room.propertyRef) }));
  for (const { id, externalId } of (await pos.saveUnitsInBulk({ connectionId, items: rooms })).data)
    roomRefs.set(id as string, externalId);
  const from = performance.now();
  const { data } = await pos.saveReservationsInBulk({ connectionId, items: pms.loaded });
  const seconds = ((performance.now() - from) / 1_000).toFixed(1);
  console.log(`${data.length} stays in ${Math.ceil(data.length / 200)} calls, ${seconds} s`);
  expect(data.filter(({ outcome }) => outcome !== 'created')).toEqual([]);
  for (const { externalId, contentHash } of data) hashes.set(externalId, contentHash as string);
}

/** Kills the service while it saves, and starts it again: its claims are free a minute later. */
async function killAndStart(): Promise<void> {
  await child.kill('SIGKILL');
  child = await start();
  await apiOf(child.url, key).post('/clock/advance', { by: 'PT1M' });
}

async function sendChanges(): Promise<{ stays: Stay[]; sent: Sent }> {
  const before = new Map(pms.stays);
  const changes = pms.changes(sizes.changes);
  const repeated = changes.filter((_, index) => index % 3 === 0);
  // What is older than what was loaded or sent by then, because the stay has changed.
  const stale = changes.filter((_, index) => index % 10 === 0).map(({ externalId }) => before.get(externalId) as Stay);
  const stays = [...shuffled(random, [...changes, ...repeated]), ...stale];
  let restarted: Promise<void> | undefined;
  const sent = await send(clients, {
    connectionId,
    stays,
    random,
    hashes,
    newest: pms.stays,
    onAnswer: (answered) => {
      if (answered === Math.floor(stays.length / 2)) restarted = killAndStart();
    },
  });
  await restarted;
  return { stays, sent };
}

type Content = Pick<Stay, 'checkInDate' | 'checkOutDate'> & {
  status: string;
  channel: string | null;
  unitRef?: string | null | undefined;
  guestCounts: { adults: number } | null;
  primaryGuest: { name: string | null } | null;
};
/** The common state of a stay, as a text. */
const contentOf = ({
  checkInDate,
  checkOutDate,
  status,
  channel,
  unitRef,
  guestCounts,
  primaryGuest,
}: Content): string =>
  [checkInDate, checkOutDate, status, channel, unitRef ?? 'no room', guestCounts?.adults, primaryGuest?.name].join(' ');

it('loads its stays in bulk while others follow, and saves the changes in any order', async () => {
  await follow(await connect());
  await load();
  const { stays, sent } = await sendChanges();
  console.log(`${stays.length} changes in ${sent.calls} calls, ${sent.aborted} aborted, ${sent.stale} stale`);
  expect(sent.refused).toEqual([]);
  expect(sent.aborted).toBeGreaterThan(0);
  expect(sent.stale).toBeGreaterThanOrEqual(sizes.changes / 10);
}, 3_600_000);

it("has the vendor's data, according to hashes and to complete reads", async () => {
  const items = [...hashes].map(([externalId, hash]) => ({ externalId, hash }));
  expect(items).toHaveLength(sizes.stays);
  for (let at = 0; at < items.length; at += 5_000) {
    const { data } = await pos.reconcileReservations({ connectionId, items: items.slice(at, at + 5_000) });
    expect(data).toMatchObject({ missing: [], different: [] });
  }
  const found = new Map<string, string>();
  for await (const { externalRefs, unitId, ...stay } of pos.listReservations.all()) {
    const externalId = externalRefs.find((ref) => ref.connectionId === connectionId)?.externalId;
    if (externalId) found.set(externalId, contentOf({ ...stay, unitRef: roomRefs.get(unitId ?? '') }));
  }
  const differing = [...pms.stays.values()].filter((stay) => found.get(stay.externalId) !== contentOf(stay));
  expect(differing.map((stay) => [found.get(stay.externalId), contentOf(stay)])).toEqual([]);
  expect(found.size).toBe(pms.stays.size);
}, 600_000);

it('is the same set for a poller, a follower of the feed, a reader of the stream and a webhook', async () => {
  const database = await followers.everything();
  expect(database.rows.size).toBe(sizes.stays);
  const differences = () =>
    Object.fromEntries(followers.copies.map((copy) => [copy.name, copy.differencesFrom(database).length]));
  const from = performance.now();
  let [left, since] = [Infinity, from];
  // As long as they make progress, however busy the machine is.
  while (left > 0 && performance.now() - since < stalledMs) {
    await pause(500);
    const now = Object.values(differences()).reduce((sum, count) => sum + count);
    if (now < left) [left, since] = [now, performance.now()];
  }
  console.log(`all have everything ${((performance.now() - from) / 1_000).toFixed(1)} s later`);
  expect(differences()).toEqual({ updatedSince: 0, feed: 0, stream: 0, webhook: 0 });
  await followers.stop();
}, 1_800_000);
