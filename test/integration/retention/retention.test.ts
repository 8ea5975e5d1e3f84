import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { RetentionService } from '../../../src/processes/retention/retention.service.js';
import { AttachmentStore } from '../../../src/features/tasks/attachments/attachment-store.js';
import { FileSweep } from '../../../src/features/tasks/attachments/file-sweep.js';
import { Browser } from '../../../faults/page-client.js';
import { clock } from '../../support/clock.js';
import { propertyOf, stayOf } from '../../support/factories.js';
import { performDue } from '../../support/jobs.js';
import { owner, type Service, startApp } from '../../support/start-app.js';
import { workflowOf } from '../../support/workflows.js';

const day = 86_400_000;
const id = '00000000-0000-7000-8000-000000000001';

let service: Service;
let database: pg.Client;
beforeAll(async () => {
  service = await startApp({ WORKER: 'off' });
  database = new pg.Client({ connectionString: service.database.url });
  await database.connect();
});
afterEach(() => clock.restore());
afterAll(async () => {
  await database.end();
  await service.close();
});

const sweep = () => performDue(service.app.get(RetentionService));
const sweepFiles = () => performDue(service.app.get(FileSweep));
const countsOf = async (...tables: string[]): Promise<number[]> => {
  const counts = tables.map((table) => `(select count(*)::int from ${table})`).join();
  const { rows } = await database.query<{ counts: number[] }>(`select array[${counts}] as counts`);
  return rows[0]?.counts as number[];
};

it('sessions and attempts are deleted when they have expired, and not before', async () => {
  clock.set('2026-03-01T12:00:00Z');
  const browser = new Browser(service.url);
  await browser.signIn(owner.email, owner.password);
  await new Browser(service.url).signIn('nobody@tests.example', 'wrong');
  const before = await countsOf('sessions', 'attempts');
  clock.advance(11 * 3_600_000);
  await sweep();
  expect(await countsOf('sessions', 'attempts')).toEqual(before);
  expect((await browser.get('/account')).path).toBe('/account');
  clock.advance(25 * 3_600_000);
  await sweep();
  expect(await countsOf('sessions', 'attempts')).toEqual([0, 0]);
});

it('other data is deleted when its retention ends, and not before', async () => {
  clock.set('2026-05-01T12:00:00Z');
  const at = new Date().toISOString();
  const mail = { recipient: 'a@tests.example', subject: '', attempts: 1, created_at: at, due_at: at };
  const expiring = { created_at: at, expires_at: at };
  const approval = {
    principal: '',
    fingerprint: '',
    operation: '',
    summary: '',
    caller: {},
    requested_by: id,
    ...expiring,
  };
  const rows: [days: number, table: string, row: object][] = [
    [1, 'form_submissions', { hash: '\\x01', created_at: at }],
    [1, 'mailed_links', { hash: '\\x01', kind: 'reset', email: '', ...expiring }],
    [7, 'organization_exports', { id, status: 'done', attempts: 1, created_at: at }],
    [
      7,
      'undo_steps',
      { entry_id: id, event_id: id, event_type: '', subject_id: '', follows: false, reason: '', created_at: at },
    ],
    [30, 'mails', { id, status: 'sent', settled_at: at, ...mail }],
    [90, 'sign_ins', { id, user_id: id, outcome: 'signed-in', ip: '', user_agent: '', created_at: at }],
    [
      90,
      'approvals',
      {
        id,
        status: 'done',
        property_ids: [],
        effects_hash: '',
        effects_total: 0,
        ended_at: at,
        attempts: 1,
        version: 1,
        updated_at: at,
        joined_keys: [],
        ...approval,
      },
    ],
  ];
  // Only the age of a row matters here, so the rows belong to nothing.
  await database.query('set session_replication_role = replica');
  for (const [, table, row] of rows) {
    const added = { org_id: id, ...row };
    await database.query(`insert into ${table} select (jsonb_populate_record(null::${table}, $1)).*`, [added]);
  }
  await database.query('reset session_replication_role');
  for (const days of new Set(rows.map(([after]) => after))) {
    const tables = rows.filter(([after]) => after === days).map(([, table]) => table);
    clock.set(Date.parse(at) + days * day - 1_000);
    await sweep();
    expect([tables, await countsOf(...tables)]).toEqual([tables, tables.map(() => 1)]);
    clock.advance(601_000);
    await sweep();
    expect([tables, await countsOf(...tables)]).toEqual([tables, tables.map(() => 0)]);
  }
});

it('responses to keyed requests are deleted after a day', async () => {
  clock.set('2027-03-01T12:00:00Z');
  await service.api.post('/tasks', { name: 'Change the linen' }, { 'idempotency-key': 'once' });
  await database.query(`
    insert into idempotency_records
    select (jsonb_populate_record(r, jsonb_build_object('key', n))).* from idempotency_records r
     cross join generate_series(1, 2499) n`);
  expect(await countsOf('idempotency_records')).toEqual([2_500]);
  clock.advance(day - 1_000);
  await sweep();
  expect(await countsOf('idempotency_records')).toEqual([2_500]);
  clock.advance(601_000);
  await sweep();
  expect(await countsOf('idempotency_records')).toEqual([0]);
});

it('model jobs are deleted 30 days after they ended, and pending ones are not', async () => {
  clock.set('2027-06-01T12:00:00Z');
  await database.query(
    `insert into model_jobs (org_id, id, operation, status, requested_by, caller, input, usage, attempts, due_at,
                             finished_at, version, created_at, updated_at)
     select m.org_id, uuidv7(), 'importGuidePlace', j.status, m.id, '{}', '{}', '{}', 1, j.due_at::timestamptz,
            j.finished_at, 1, $1, $1
       from (select * from members order by id limit 1) m
      cross join (values ('failed', null, $1::timestamptz), ('queued', 'infinity', null)) j (status, due_at, finished_at)`,
    [new Date().toISOString()],
  );
  clock.advance(30 * day - 1_000);
  await sweep();
  expect(await countsOf('model_jobs')).toEqual([2]);
  clock.advance(601_000);
  await sweep();
  expect((await database.query('select status from model_jobs')).rows).toEqual([{ status: 'queued' }]);
});

it('messages are deleted 90 days after they ended, and pending ones are not', async () => {
  clock.set('2027-07-01T12:00:00Z');
  await service.api.post('/email-templates', { name: 'Hi', subject: 'Hi', body: '<p>Hi</p>' });
  await database.query(
    `insert into messages (org_id, id, dedupe_key, template_id, template_version, marketing, test, status, version,
                           created_at, updated_at)
     select t.org_id, uuidv7(), s.status, t.id, 1, false, false, s.status, 1, $1::timestamptz - interval '1 year', $1
       from email_templates t
      cross join unnest(array['queued', 'sending', 'sent', 'failed', 'suppressed', 'unknown']) s (status)`,
    [new Date().toISOString()],
  );
  clock.advance(90 * day - 1_000);
  await sweep();
  expect(await countsOf('messages')).toEqual([6]);
  clock.advance(601_000);
  await sweep();
  expect((await database.query('select status from messages order by 1')).rows).toEqual([
    { status: 'queued' },
    { status: 'sending' },
  ]);
});

it('runs of workflows are deleted 90 days after they and their stay ended', async () => {
  clock.set('2027-08-01T12:00:00Z');
  const propertyId = await propertyOf(service.api);
  await stayOf(service.api, { propertyId, checkInDate: '2028-01-01', checkOutDate: '2028-01-02' });
  await workflowOf(service.api);
  await database.query(
    `insert into workflow_runs (org_id, id, workflow_id, workflow_version, trigger_key, trigger, reservation_id, chain,
                                status, steps, claims, due_at, finished_at, version, created_at, updated_at)
     select w.org_id, uuidv7(), w.id, 1, r.key, '{}', case when r.of_stay then s.id end, '[]', r.status, '[]', 1,
            r.due_at::timestamptz, r.finished_at::timestamptz, 1, now(), now()
       from workflows w join reservations s on s.org_id = w.org_id
      cross join (values ('over', false, 'failed', null, $1), ('waits', false, 'waiting', 'infinity', null),
                         ('of a future stay', true, 'succeeded', null, $1)) r (key, of_stay, status, due_at, finished_at)`,
    [new Date().toISOString()],
  );
  const runs = async () =>
    (await database.query<{ key: string }>('select trigger_key as key from workflow_runs order by 1')).rows;
  clock.advance(90 * day - 1_000);
  await sweep();
  expect(await runs()).toHaveLength(3);
  clock.advance(601_000);
  await sweep();
  expect((await runs()).map(({ key }) => key)).toEqual(['of a future stay', 'waits']);
  clock.set('2028-04-02T12:00:00Z');
  await sweep();
  expect((await runs()).map(({ key }) => key)).toEqual(['waits']);
});

describe('events and deliveries', () => {
  let orgId: string;
  beforeAll(async () => {
    clock.set('2028-03-01T12:00:00Z');
    await service.api.post('/webhook-endpoints', { url: 'https://example.com/hook', eventTypes: ['member.invited'] });
    clock.restore();
    orgId = (await database.query('select org_id from webhook_endpoints')).rows[0].org_id;
  });

  /** Inserts events, and with each a delivery that has ended. */
  const happened = (at: string, count: number) =>
    database.query(
      `with e as (
         insert into events (org_id, id, transaction_id, type, subject_type, subject_id, sequence, actor, data, occurred_at)
         select $1, uuidv7(), pg_current_xact_id(), 'task.created', 'task', 'task_' || n, 1, '{}', '{}', $2
           from generate_series(1, $3::int) n returning *)
       insert into webhook_deliveries
         (org_id, endpoint_id, event_id, event_type, subject_id, sequence, status, due_at, created_at)
       select e.org_id, w.id, e.id, e.type, e.subject_id, 1, 'succeeded', $2, $2
         from e join webhook_endpoints w on w.org_id = e.org_id`,
      [orgId, at, count],
    );

  beforeEach(async () => {
    await database.query('delete from webhook_deliveries; delete from events;');
    await database.query(
      'insert into event_sequences values ($1, $2, 1, pg_current_xact_id()) on conflict do nothing',
      [orgId, 'task_1'],
    );
  });

  it('are deleted after thirty days, in batches, once however many processes sweep', async () => {
    await database.query(`
      create table swept (rows integer);
      create function note_swept() returns trigger language plpgsql security definer as $$
        begin insert into swept select count(*) from gone; return null; end $$;
      create trigger swept after delete on events referencing old table as gone for each statement
        execute function note_swept();`);
    const sequences = await countsOf('event_sequences');
    await happened('2029-01-01T00:00:00Z', 2_500);
    await happened('2029-01-20T00:00:00Z', 10);
    clock.set('2029-01-30T23:59:00Z');
    await sweep();
    expect(await countsOf('events', 'webhook_deliveries')).toEqual([2_510, 2_510]);
    await database.query('truncate swept');
    clock.set('2029-01-31T00:10:00Z');
    await Promise.all([sweep(), sweep(), sweep()]);
    expect(await countsOf('events', 'webhook_deliveries')).toEqual([10, 10]);
    expect((await database.query('select rows from swept')).rows.map(({ rows }) => rows)).toEqual([1_000, 1_000, 500]);
    expect(await countsOf('event_sequences')).toEqual(sequences);
  });

  it('that are still pending are kept, and so are recently replayed ones', async () => {
    await happened('2030-01-01T00:00:00Z', 3);
    await database.query(`update webhook_endpoints set leased_until = '2031-01-01'`);
    await database.query(`update webhook_deliveries set status = 'pending' where subject_id = 'task_1'`);
    await database.query(`update webhook_deliveries set created_at = '2030-01-29' where subject_id = 'task_2'`);
    clock.set('2030-02-02T00:00:00Z');
    await sweep();
    const { rows } = await database.query('select subject_id from events order by 1');
    expect(rows.map(({ subject_id }) => subject_id)).toEqual(['task_1', 'task_2']);
    expect(await countsOf('webhook_deliveries')).toEqual([2]);
    await database.query(`update webhook_endpoints set status = 'disabled'`);
    clock.set('2030-03-05T00:00:00Z');
    await sweep();
    expect(await countsOf('events', 'webhook_deliveries')).toEqual([0, 0]);
  });

  it('that another transaction holds are left to the next sweep', async () => {
    await happened('2032-01-01T00:00:00Z', 2);
    const other = new pg.Client({ connectionString: service.database.url });
    await other.connect();
    await other.query(`begin; select 1 from webhook_deliveries where subject_id = 'task_1' for update`);
    clock.set('2032-02-02T00:00:00Z');
    await sweep();
    expect(await countsOf('events', 'webhook_deliveries')).toEqual([1, 1]);
    await other.end();
    clock.advance(600_000);
    await sweep();
    expect(await countsOf('events', 'webhook_deliveries')).toEqual([0, 0]);
  });
});

it('files that no task names are deleted an hour after they were stored, and no others', async () => {
  clock.set('2028-02-01T12:00:00Z');
  const { id } = (await service.api.post('/tasks', { name: 'Look' })).body.data;
  const file = { fileName: 'a.txt', contentType: 'text/plain', content: btoa('words') };
  await service.api.post(`/tasks/${id}/attachments`, file);
  const store = service.app.get(AttachmentStore);
  const [folder] = readdirSync(join(service.config.dataDir, 'attachments')) as [string];
  const lost = [`${folder}/${'0'.repeat(32)}`, `${folder}/${'0'.repeat(31)}1.part`, `${folder}/${'f'.repeat(32)}`];
  const ofAnotherDatabase = `${'0'.repeat(32)}/${'e'.repeat(32)}`;
  for (const path of [...lost, ofAnotherDatabase]) await store.put(path, Buffer.from('lost'));
  const there = async () => (await Promise.all(lost.map((path) => store.get(path)))).map(Boolean);
  clock.advance(3_599_000);
  await sweepFiles();
  expect(await there()).toEqual([true, true, true]);
  clock.advance(601_000);
  await sweepFiles();
  expect(await there()).toEqual([false, false, false]);
  expect(await store.get(ofAnotherDatabase)).toBeDefined();
  const { url } = (await service.api.get(`/tasks/${id}`)).body.data.attachments[0];
  expect(await (await fetch(url)).text()).toBe('words');
});

it('a round checks a limited number of files, and the next one continues after them', async () => {
  clock.set('2028-03-01T12:00:00Z');
  const store = service.app.get(AttachmentStore);
  const { organization } = (await service.api.get('/me')).body.data;
  const folder = (organization.id as string).slice('org_'.length);
  const path = (n: number) => `${folder}/${String(n).padStart(32, '0')}`;
  const put = (from: number, to: number) =>
    Promise.all(Array.from({ length: to - from }, (_, n) => store.put(path(from + n), Buffer.from('lost'))));
  await put(1_050, 1_100);
  clock.advance(3_601_000);
  await put(0, 1_050);
  const left = async () => (await store.list('', 2_000)).filter((file) => file.path.startsWith(`${folder}/000`)).length;
  await sweepFiles();
  expect(await left()).toBe(1_100);
  clock.advance(601_000);
  await sweepFiles();
  expect(await left()).toBe(1_050);
});
