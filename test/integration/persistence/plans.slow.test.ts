import fc from 'fast-check';
import pg from 'pg';
import { Catalogue, type Operation } from '#operations';
import { newId, TenantDatabase } from '#persistence';
import { SystemDatabase } from '#system-database';
import { appRoles } from '../../../src/processes/data-source.js';
import type { Api } from '../../support/api.js';
import { freshDatabase } from '../../support/database.js';
import { requestFor } from '../../support/doors.js';
import { keyWith } from '../../support/factories.js';
import { collectScans, couldRead, showPlans, type TableScan } from '../../support/plans.js';
import { isLong } from '../../support/sampled.js';
import { type Service, startApp } from '../../support/start-app.js';
import { isReference, kindOf, restOnly } from '../authorization/oracle.js';
import type { Organizations } from '../authorization/credentials.js';
import { openTargets, type Targets } from '../authorization/targets.js';
import { scenes, world } from '../events/scenes.js';
import { beginningOf } from '../openapi/beginnings.js';
import { inputsOf } from '../openapi/inputs.js';

/** How many inputs with other filters and sort orders each operation that reads gets. */
const filtered = isLong ? 40 : 4;

let service: Service;
let api: Api;
let scans: TableScan[];
beforeAll(async () => {
  const database = await freshDatabase();
  await showPlans(database, couldRead);
  scans = collectScans();
  service = await startApp({}, { database });
  ({ api } = await keyWith(service.api));
}, 60_000);
afterAll(async () => {
  jest.restoreAllMocks();
  await service.close();
  await service.database.drop();
});

/** What organizations own: row security hides the records of others. */
async function dataTables(): Promise<Set<string>> {
  const rows = await service.app.get(SystemDatabase).rows('select relname from pg_class where relrowsecurity', []);
  return new Set(rows.map(({ relname }) => relname as string));
}

/** Reads of whole tables of data by statements of requests. */
async function wholeReads(): Promise<string[]> {
  const tables = await dataTables();
  const whole = scans.filter(({ table, role, isLed }) => role === appRoles.tenant && tables.has(table) && !isLed);
  return [...new Set(whole.map(({ kind, table, statement }) => `${kind} of ${table}: ${statement}`))];
}

/** A valid request of each operation, with many filters where it reads. */
function inputsFor(operation: Operation, least: object, address: object, targets: Targets): object[] {
  const idsFor = (field: string) => {
    if (!isReference(field)) return undefined;
    const kind = kindOf(field);
    return { ours: [targets.own[kind][kind] as string], others: [targets['other property'][kind][kind] as string] };
  };
  const shortest = { ...least, ...address };
  if (operation.effect !== 'read') return [shortest];
  const inputs = inputsOf(operation, { idsFor, cursors: ['e30.e30'] }, least, address);
  return [shortest, ...fc.sample(inputs, { seed: 1, numRuns: filtered })];
}

/** Performs an operation, or its scene where it needs more than a record. */
async function perform(operation: Operation, place: Parameters<typeof beginningOf>[1], targets: Targets) {
  const { address, least } = await beginningOf(operation, place, targets);
  let isDone = false;
  for (const input of inputsFor(operation, least, address, targets)) {
    const { method, path, body } = requestFor(operation, input);
    isDone = (await api.send(method, path, body)).status < 300 || isDone;
  }
  const scene = scenes[operation.name]?.[1];
  return isDone || (scene !== undefined && (await (await scene())()).status < 300);
}

it('no operation reads a whole table of data', async () => {
  Object.assign(world, { service, api });
  const ours = { world: { service }, own: api, foreign: api } as unknown as Organizations;
  const { targets, places } = await openTargets(ours);
  const operations = service.app
    .get(Catalogue)
    .all()
    .map(({ operation }) => operation)
    .filter(({ name }) => !restOnly.includes(name));
  const undone: string[] = [];
  for (const operation of operations) if (!(await perform(operation, places.own, targets))) undone.push(operation.name);
  // These need a language model.
  expect(undone.sort()).toEqual([
    'cancelModelJob',
    'create_email_template',
    'create_workflow',
    'importGuidePlace',
    'initializeLanguageTranslations',
    'modify_email_template',
    'modify_workflow',
    'retranslateGuideText',
  ]);
  expect(scans.filter(({ role }) => role === appRoles.tenant).length).toBeGreaterThan(4_000);
  expect(await wholeReads()).toEqual([]);
}, 300_000);

it('notices a table whose records no index finds', async () => {
  const owner = new pg.Client({ connectionString: service.database.url });
  await owner.connect();
  await owner.query(`create table without_index (org_id uuid);
    alter table without_index enable row level security;
    create policy everyone on without_index using (true);
    grant select on without_index to ${appRoles.tenant}`);
  await owner.end();
  await service.app.get(TenantDatabase).rows(newId('organization'), 'select org_id from without_index', []);
  expect(await wholeReads()).toEqual(['Seq Scan of without_index: select org_id from without_index']);
});
