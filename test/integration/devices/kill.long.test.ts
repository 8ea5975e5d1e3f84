import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { CodeKeeper } from '../../../src/features/devices/access-codes/code-keeper.service.js';
import { CommandRunner } from '../../../src/features/devices/commands/command-runner.service.js';
import { loadKeyring } from '../../../src/processes/keyring-file.js';
import { type Api, apiOf, type Json, type Reply } from '../../support/api.js';
import { type ChildService, newDataDir, removeDataDir, startChild } from '../../support/child-service.js';
import { clock } from '../../support/clock.js';
import { type FreshDatabase, freshDatabase } from '../../support/database.js';
import { keyWith } from '../../support/factories.js';
import { until } from '../../support/feed.js';
import { performDue } from '../../support/jobs.js';
import { type Simulator, simulatorOf } from '../../support/simulator.js';
import { type Service, startApp } from '../../support/start-app.js';

/**
 * `kill -9` of one node at each write of a command, and around the contact about an access code, with another node that
 * shares its database and takes over. The node is caught at a write by a lock that the write waits for.
 */
const dataDir = newDataDir();
let database: FreshDatabase;
let survivor: Service;
let watcher: pg.Client;
let key: string;
let api: Api;

beforeAll(async () => {
  database = await freshDatabase();
  // Due work runs when a test says so.
  survivor = await startApp({ WORKER: 'off' }, { database, keyring: loadKeyring(dataDir) });
  ({ api, key } = await keyWith(survivor.api));
  watcher = await connected();
});
afterEach(() => clock.restore());
afterAll(async () => {
  await watcher.end();
  await survivor.close();
  await database.drop();
  removeDataDir(dataDir);
});

interface Step {
  /** One lock after the other; each is released once the next is held. */
  locks: string[];
  status: number;
  caused: [contacts: number, effects: number];
  rows: string[];
}

const vendor = `select 1 from simulated_devices where connection_id = '{connection}' for update`;
// Foreign keys may still reference the row.
const device = `select 1 from devices where id = '{device}' for no key update`;
const answer = `select 1 from idempotency_records where key = '{key}' for update`;
const codesAtVendor = `select sum(jsonb_array_length(memory->'codes'))::int as codes
  from simulated_devices where connection_id = $1`;
const once = { status: 200, caused: [1, 1] as [number, number], rows: ['succeeded'] };

const groups: [at: string, steps: Step[]][] = [
  [
    'creating its row, or claiming the idempotency key',
    [
      { ...once, locks: ['lock table device_commands in exclusive mode'] },
      { ...once, locks: ['lock table idempotency_records in exclusive mode'] },
    ],
  ],
  [
    'taking its turn, contacting the provider, storing the result, or keeping the response',
    [
      { ...once, locks: [device], rows: ['succeeded', 'failed'] },
      { status: 502, locks: [vendor], caused: [0, 0], rows: ['failed'] },
      { ...once, locks: [vendor, device] },
      { ...once, locks: [vendor, answer] },
    ],
  ],
];

it.each(groups)(
  'a command never takes effect twice, and is never acknowledged without effect, when its node is killed while %s',
  async (_, steps) => {
    const ready: PreparedStep[] = [];
    for (const step of steps) ready.push(await prepared(step));
    const child = await startChild(dataDir, { DATABASE_URL: database.url });
    for (const one of ready) await catchAt(child, one);
    await child.kill('SIGKILL');
    for (const { lost, lockers } of ready) {
      expect(await lost).toBe('lost');
      for (const locker of lockers) await locker.end();
    }
    clock.advance(30_000);
    await performDue(survivor.app.get(CommandRunner));
    for (const one of ready) await expectOnce(one);
  },
  60_000,
);

it('an access code is set at the device once, although its node is killed between contact and record', async () => {
  const simulator = await simulatorOf(api);
  const contact = await holding(vendor.replace('{connection}', simulator.connectionId.replace('connection_', '')));
  const deviceId = simulator.devices['sim-lock-1'];
  const made = await api.post('/access-codes', { deviceId, name: 'Cleaners', type: 'ongoing' });
  const accessCodeId = made.body.data.id as string;
  const child = await startChild(dataDir, { DATABASE_URL: database.url });
  await waitedFor(contact);
  const record = await holding(
    `select 1 from access_codes where id = '${accessCodeId.replace('code_', '')}' for update`,
  );
  await contact.query('rollback');
  await waitedFor(record);
  await child.kill('SIGKILL');
  await Promise.all([contact, record].map((locker) => locker.end()));
  const seen = async (): Promise<unknown[]> => [
    (await api.get(`/access-codes?deviceId=${deviceId}`)).body.data[0].status,
    await simulator.counts(),
    (await watcher.query(codesAtVendor, [simulator.connectionId.replace('connection_', '')])).rows[0].codes,
  ];
  expect(await seen()).toEqual(['setting', { contacts: 1, effects: 1 }, 1]);
  clock.advance(100_000);
  await performDue(survivor.app.get(CodeKeeper));
  expect(await seen()).toEqual(['set', { contacts: 1, effects: 1 }, 1]);
}, 60_000);

interface PreparedStep extends Step {
  simulator: Simulator;
  deviceId: string;
  command(on: Api): Promise<Reply>;
  named(lock: string): string;
  lockers: pg.Client[];
  lost?: Promise<string>;
}

async function prepared(step: Step): Promise<PreparedStep> {
  const simulator = await simulatorOf(api);
  const deviceId = simulator.devices['sim-lock-1'];
  const idempotencyKey = randomUUID();
  const names = {
    '{connection}': simulator.connectionId.replace('connection_', ''),
    '{device}': deviceId.replace('device_', ''),
    '{key}': idempotencyKey,
  };
  return {
    ...step,
    simulator,
    deviceId,
    command: (on) => on.post(`/devices/${deviceId}/unlock`, undefined, { 'idempotency-key': idempotencyKey }),
    named: (lock) => Object.entries(names).reduce((text, [name, value]) => text.replace(name, value), lock),
    lockers: [],
  };
}

async function catchAt(child: ChildService, step: PreparedStep): Promise<void> {
  for (const lock of step.locks) {
    const locker = await holding(step.named(lock));
    await step.lockers.at(-1)?.query('rollback');
    step.lockers.push(locker);
    step.lost ??= step.command(apiOf(child.url, key)).then(
      ({ text }) => text,
      () => 'lost',
    );
    await waitedFor(locker);
  }
}

async function holding(lock: string): Promise<pg.Client> {
  const locker = await connected();
  await locker.query(`begin; ${lock}`);
  return locker;
}

async function waitedFor(locker: pg.Client): Promise<void> {
  const { rows } = await locker.query<{ pid: number }>('select pg_backend_pid() as pid');
  const waiting = 'select 1 from pg_stat_activity where $1 = any(pg_blocking_pids(pid))';
  await until(
    () => watcher.query(waiting, [rows[0]?.pid]),
    ({ rowCount }) => rowCount === 1,
  );
}

async function expectOnce({ simulator, deviceId, command, locks, status, caused, rows }: PreparedStep): Promise<void> {
  const counts = async () => Object.values(await simulator.counts());
  const retried = await command(api);
  const listed = (await api.get(`/device-commands?deviceId=${deviceId}`)).body.data as Json[];
  expect([locks, retried.status, await counts(), listed.map((command) => command.status as string)]).toEqual([
    locks,
    status,
    caused,
    rows,
  ]);
  expect((await command(api)).text).toBe(retried.text);
  expect((await api.post(`/devices/${deviceId}/lock`)).status).toBe(200);
  expect(await counts()).toEqual(caused.map((count) => count + 1));
}

async function connected(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  return client;
}
