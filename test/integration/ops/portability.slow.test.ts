import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { masked } from '#operations';
import { SystemDatabase } from '#system-database';
import { AttachmentStore } from '../../../src/features/tasks/attachments/attachment-store.js';
import { RequestLog } from '../../../src/platform/requests/request-log.service.js';
import { GzipParts } from '../../../src/processes/portability/gzip-parts.js';
import { notExported, portableTables } from '../../../src/processes/portability/portable-tables.js';
import { Browser } from '../../../faults/page-client.js';
import { clock } from '../../support/clock.js';
import { feedSettled, until } from '../../support/feed.js';
import { addPerson } from '../../support/people.js';
import { tablesWith } from '../../support/plain-text.js';
import { type Ops, refusalOf, startOps } from '../../support/ops.js';
import { owner, type Service, startApp } from '../../support/start-app.js';
import { activeWorkflowOf, hasEnded, runWhen } from '../../support/workflows.js';
import type { Json } from '../../support/api.js';

let source: Service;
let target: Service;
let ops: { source: Ops; target: Ops };
beforeAll(async () => {
  [source, target] = [await startApp(), await startApp({ REGION: 'eu', ADMIN_EMAIL: 'somebody@tests.example' })];
  ops = { source: await startOps(source), target: await startOps(target) };
  await ops.source('demo --org my-organization');
  await fill();
}, 60_000);
afterEach(() => clock.restore());
afterAll(async () => {
  await Promise.all([ops.source.close(), ops.target.close()]);
  await Promise.all([source.close(), target.close()]);
});

const day = 86_400_000;
const content = Buffer.from('%PDF-1.4 what a file contains');

const password = 'Sup3r-secret-words';
let workflowId: string;

/** A workflow that changes the network of a property. */
const networkOf = (propertyId: string): object => ({
  trigger: { kind: 'manual' },
  steps: [
    {
      id: 'set',
      kind: 'operation',
      operation: 'updateProperty',
      input: { propertyId, wifi: { networkName: 'Sea', password } },
    },
  ],
});

/** What the demo does not have. */
async function fill(): Promise<void> {
  const [property] = (await source.api.get('/properties?limit=1')).body.data as Json[];
  workflowId = await activeWorkflowOf(source.api, networkOf(property.id));
  await source.api.post(`/workflows/${workflowId}/run`);
  await runWhen(source.api, workflowId, hasEnded);
  await source.api.patch(`/properties/${property.id}`, { wifi: { networkName: 'Lake', password: 'p"ss\\u2028' } });
  const [task] = (await source.api.get('/tasks?limit=1')).body.data as Json[];
  const file = { fileName: 'plan.pdf', contentType: 'application/pdf', content: content.toString('base64') };
  const attached = await source.api.post(`/tasks/${task.id}/attachments`, file);
  if (attached.status !== 201 && attached.status !== 200) throw new Error(attached.text);
}

const rows = ({ app }: Service, text: string, values: unknown[] = []) => app.get(SystemDatabase).rows(text, values);
const linesIn = (text: string): Json[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Json);

async function exported(from: keyof typeof ops, service: Service): Promise<Json[]> {
  const file = join(service.config.dataDir, 'export.ndjson');
  rmSync(file, { force: true });
  await ops[from](`org export --org my-organization --file ${file}`);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  return linesIn(readFileSync(file, 'utf8'));
}

/** The imported records, without what an import decides. */
function comparable(lines: Json[]): string[] {
  const decided = new Map(portableTables.map(({ name, importedWith = {} }) => [name, Object.keys(importedWith)]));
  const imported = new Set(portableTables.filter(({ exportOnly }) => !exportOnly).map(({ name }) => name));
  return lines
    .filter(({ table, person, file }) => imported.has(table) || person || file)
    .map(({ table, row, ...others }) => {
      for (const column of decided.get(table) ?? []) delete row[column];
      return JSON.stringify({ table, row, ...others });
    })
    .sort();
}

describe('an export', () => {
  it('is sent in parts, so that it does not have to fit into memory', async () => {
    const parts: Buffer[] = [];
    const gzip = new GzipParts((_, part) => Promise.resolve(void parts.push(part)));
    for (let line = 0; line < 30; line += 1) await gzip.take(randomBytes(50_000).toString('base64'));
    await gzip.end();
    expect(parts).toHaveLength(2);
    expect(gunzipSync(Buffer.concat(parts)).toString().split('\n')).toHaveLength(31);
  });

  it('includes every table that has an organization', async () => {
    const found = await rows(
      source,
      `select c.relname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
        where a.attname = 'org_id' and c.relkind in ('r', 'p') and not c.relispartition
          and c.relnamespace = 'public'::regnamespace order by 1`,
    );
    const known = [...portableTables.map(({ name }) => name), ...Object.keys(notExported)];
    expect(known.sort()).toEqual(found.map(({ name }) => name));
  });

  it('contains no secret of the service, and decrypts what people can see', async () => {
    const lines = await exported('source', source);
    const text = JSON.stringify(lines);
    expect(text).toContain('p\\\\\\"ss');
    const encrypted = await rows(
      source,
      `select table_name as t, column_name as c from information_schema.columns
        where table_schema = 'public' and udt_name = 'bytea' and table_name = any($1)`,
      [portableTables.map(({ name }) => name)],
    );
    const stepsIn = (name: string) =>
      lines.filter(({ table }) => table === name).map(({ row }) => JSON.stringify(row.steps));
    for (const table of ['workflow_versions', 'workflow_runs'])
      expect([table, stepsIn(table).some((steps) => steps.includes(`"password":"${password}"`))]).toEqual([
        table,
        true,
      ]);
    const shown = new Set(portableTables.map(({ name, sealed }) => `${name} ${sealed?.column}`));
    const hidden = encrypted.filter(({ t, c }) => !shown.has(`${t as string} ${c as string}`));
    for (const { t, c } of hidden.filter(({ c: column }) => column !== 'address_hash'))
      expect(lines.filter(({ table, row }) => table === t && (c as string) in row)).toEqual([]);
  });

  it('is imported into another region, with every record as it was', async () => {
    const before = await exported('source', source);
    const file = join(source.config.dataDir, 'export.ndjson');
    const refused = await refusalOf(ops.target(`org import --file ${file}`));
    expect(refused).toMatchObject({ status: 409, code: 'SLUG_TAKEN' });
    const imported = await ops.target(`org import --file ${file} --slug moved`);
    expect(imported).toMatchObject({ slug: 'moved', name: 'My Organization', files: 1 });
    expect(imported.records).toBeGreaterThan(200);
    expect(imported.leftOut.join()).toMatch(/api_keys: \d+/);
    const copy = join(target.config.dataDir, 'copy.ndjson.gz');
    await ops.target(`org export --org moved --file ${copy}`);
    const after = linesIn(gunzipSync(readFileSync(copy)).toString());
    expect(comparable(after)).toEqual(comparable(before));
    expect(await rows(target, 'select bytes::int from attachment_totals where bytes > 0')).toEqual([
      { bytes: content.length },
    ]);
    expect(after[0].organization).toMatchObject({ region: 'eu', status: 'active' });
    const { key } = await ops.target(`api-key create --org moved --name k --scopes "*"`);
    const moved = target.api.as(key as string);
    const reservations = (await source.api.get('/reservations?limit=5')).body.data;
    expect((await moved.get('/reservations?limit=5')).body.data).toEqual(reservations);
    expect((await moved.get('/room-board')).status).toBeLessThan(500);
    await feedSettled(target);
    expect(await tablesWith(target.database.url, password)).toEqual([]);
    // The member that it ran as had its permissions from a key, which is not imported.
    const runAsMemberId = (await moved.get('/me')).body.data.member.id as string;
    expect((await moved.patch(`/workflows/${workflowId}`, { runAsMemberId })).status).toBe(200);
    expect((await moved.post(`/workflows/${workflowId}/activate`)).status).toBe(200);
    await moved.post(`/workflows/${workflowId}/run`);
    expect((await runWhen(moved, workflowId, hasEnded)).status).toBe('succeeded');
    expect(await tablesWith(target.database.url, password)).toEqual([]);
    const created = (await moved.get('/events?types=organization.created')).body.data;
    expect(created).toMatchObject([{ actor: { type: 'service' }, data: { slug: 'moved' } }]);
    expect((await refusalOf(ops.target(`org import --file ${file} --slug again`))).code).toBe('ORGANIZATION_EXISTS');
    expect((await ops.target('org list')).length).toBe(2);
  }, 60_000);

  it('is imported whole or not at all, and only into its own organization', async () => {
    const file = join(source.config.dataDir, 'broken.ndjson');
    const [head, ...others] = await exported('source', source);
    const own = head.organization.id as string;
    const id = own.replace(/^.{8}/, '11111111');
    const victim = (await rows(target, `select id from organizations where slug <> 'moved'`))[0]?.id as string;
    const role = others.find(({ table }) => table === 'roles');
    const cases: [string, unknown[], RegExp][] = [
      ['no export', [{ hello: 1 }], /not an export/],
      [
        'cut off',
        [{ ...head, organization: { ...head.organization, id, slug: 'cut' } }, '{"table":"roles","row":{'],
        /not JSON/,
      ],
      ['another version', [{ ...head, version: 99 }], /version/],
    ];
    for (const [, lines, words] of cases) {
      writeFileSync(file, lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'));
      expect((await refusalOf(ops.target(`org import --file ${file}`))).message).toMatch(words);
    }
    expect(await rows(target, `select 1 from organizations where slug = 'cut'`)).toEqual([]);
    const planted = { ...role, row: { ...role.row, id: id.replace('1111', '2222'), org_id: victim, name: 'planted' } };
    const foreign = [{ ...head, organization: { ...head.organization, id, slug: 'foreign' } }, planted];
    writeFileSync(file, foreign.map((line) => JSON.stringify(line)).join('\n'));
    await ops.target(`org import --file ${file}`);
    const [{ org_id: orgId } = {}] = await rows(target, `select org_id from roles where name = 'planted'`);
    expect(orgId).toBe(id);
    expect((await refusalOf(ops.target('org import --file /nowhere/x'))).message).toContain('cannot be read');
  });

  it('from an untrusted source writes no file elsewhere, reads none, raises no quota, and leaves nothing if it is rejected', async () => {
    const file = join(source.config.dataDir, 'hostile.ndjson');
    const [head, ...others] = await exported('source', source);
    const id = (head.organization.id as string).replace(/^.{8}/, '33333333');
    const organization = { ...head.organization, id, slug: 'hostile', quota_limits: { properties: 1_000_000 } };
    const contentBase64 = content.toString('base64');
    const importing = async (...lines: unknown[]) => {
      writeFileSync(file, [{ ...head, organization }, ...lines].map((line) => JSON.stringify(line)).join('\n'));
      return await ops.target(`org import --file ${file}`);
    };
    const outside = join(target.config.dataDir, 'planted');
    for (const fileId of ['file_../../planted', '../../planted', 7, `file_${'0'.repeat(31)}`])
      expect((await refusalOf(importing({ file: { id: fileId, contentBase64 } }))).message).toMatch(/file whose id/);
    expect(existsSync(outside)).toBe(false);
    const whole = { id: `file_${'3'.repeat(32)}`, contentBase64 };
    expect((await refusalOf(importing({ file: whole }, { nothing: 1 }))).message).toMatch(/neither a record/);
    const store = target.app.get(AttachmentStore);
    expect(await store.get(`${id.replaceAll('-', '')}/${'3'.repeat(32)}`)).toBeUndefined();
    const version = others.find(({ row }) => row?.steps && JSON.stringify(row.steps).includes(password));
    for (const steps of [undefined, 'none', [null]])
      expect((await refusalOf(importing({ ...version, row: { ...version?.row, steps } }))).message).toMatch(
        /steps are not valid/,
      );
    // A task may name any file, which is looked for among those of its own organization.
    const secret = join(target.config.dataDir, 'secret');
    writeFileSync(secret, 'a secret of the service');
    expect(await store.get(`${id.replaceAll('-', '')}/../../secret`)).toBeUndefined();
    await expect(store.put('../planted', content)).rejects.toThrow('not a path');
    const planted = JSON.stringify(version).replace(`"${password}"`, '{"sealed":"AAAA"}');
    const parents = others.filter(({ table, person }) => person || ['roles', 'members', 'workflows'].includes(table));
    await importing(...parents, JSON.parse(planted));
    const { key } = await ops.target(`api-key create --org hostile --name k --scopes "*"`);
    const shown = await target.api.as(key as string).get(`/workflows/${workflowId}`);
    expect([shown.status, shown.body.data.steps[0].input.wifi.password]).toEqual([200, { sealed: masked }]);
    const [{ quota_limits: limits } = {}] = await rows(target, 'select quota_limits from organizations where id = $1', [
      id,
    ]);
    expect(limits).toEqual({});
  });
});

describe('an owner', () => {
  async function signedIn(): Promise<{ browser: Browser; path: string }> {
    const browser = new Browser(source.url);
    await browser.signIn(owner.email, owner.password);
    const { id } = (
      await rows(source, `select 'org_' || replace(id::text, '-', '') as id from organizations`)
    )[0] as Json;
    return { browser, path: `/account/organization?org=${id}` };
  }

  it('requests an export, which a job writes, and downloads it', async () => {
    const { browser, path } = await signedIn();
    const page = await browser.get(path);
    await browser.submit(page, '/account/organization/export');
    const ready = await until(
      () => browser.get(path),
      ({ text }) => text.includes('Ready'),
    );
    const [, href = ''] = /href="(\/account\/organization\/export\?[^"]+)"/.exec(ready.html) ?? [];
    const response = await browser.once(href.replaceAll('&amp;', '&'));
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="my-organization.ndjson.gz"');
    const lines = linesIn(gunzipSync(Buffer.from(await response.arrayBuffer())).toString());
    expect(lines[0]).toMatchObject({ format: 'property-operations-export', version: 1 });
    expect(lines.filter(({ table }) => table === 'reservations').length).toBeGreaterThan(10);
    expect(lines.at(-1).file.contentBase64).toBe(content.toString('base64'));
    clock.advance(11 * 60_000);
    expect((await browser.get(href.replaceAll('&amp;', '&'))).path).toContain('/account/confirm-password');
  }, 30_000);

  it('closes the organization, so that nothing works in it, and reopens it', async () => {
    const { browser, path } = await signedIn();
    const page = await browser.get(path);
    const unsure = await browser.submit(page, '/account/organization/close', { name: 'no' });
    expect(unsure).toMatchObject({ status: 400, text: expect.stringContaining('Enter the name') as string });
    expect((await source.api.get('/tasks')).status).toBe(200);
    const closed = await browser.submit(page, '/account/organization/close', { name: 'My Organization' });
    expect(closed.text).toContain('The organization was closed.');
    expect((await source.api.get('/tasks')).status).toBe(401);
    expect((await browser.get('/console/my-organization')).status).toBe(404);
    const account = await browser.get('/account');
    expect(account.text).toContain('Closed. It can be reopened until');
    const open = await browser.submit(await browser.get(path), '/account/organization/reopen');
    expect(open.text).toContain('was reopened');
    expect((await source.api.get('/tasks')).status).toBe(200);
    const trail = (await source.api.get('/audit-entries?limit=100')).body.data as { action: string }[];
    expect(trail.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['exportOrganization', 'closeOrganization', 'reopenOrganization']),
    );
  });

  it('requires a password confirmation within the last ten minutes for each of them', async () => {
    const { browser, path } = await signedIn();
    const page = await browser.get(path);
    clock.advance(11 * 60_000);
    const form = { name: 'My Organization' };
    for (const action of ['export', 'close'])
      expect((await browser.submit(page, `/account/organization/${action}`, form)).path).toContain(
        '/account/confirm-password',
      );
    expect((await source.api.get('/tasks')).status).toBe(200);
  });

  it('needs the second factor that the organization requires', async () => {
    const { browser, path } = await signedIn();
    const page = await browser.get(path);
    const demand = (isDemanded: boolean) =>
      rows(source, 'update organizations set require_two_factor = $1', [isDemanded]);
    await demand(true);
    const form = { name: 'My Organization' };
    for (const shown of [
      await browser.get(path),
      await browser.get('/account/approval-rules'),
      await browser.get(path.replace('organization?', 'organization/export?id=x&')),
      await browser.submit(page, '/account/organization/export'),
      await browser.submit(page, '/account/organization/close', form),
    ])
      expect(shown.path).toMatch(/^\/account\/security/);
    await demand(false);
    expect((await source.api.get('/tasks')).status).toBe(200);
  });

  it('is the only person who may do so', async () => {
    const { path } = await signedIn();
    const { email } = await addPerson(source, { role: 'manager' });
    const outsider = new Browser(source.url);
    await outsider.signIn(email as string, 'some long words');
    expect((await outsider.get(path)).status).toBe(404);
  });
});

describe('a closed organization', () => {
  it('is erased after 30 days, except its trail, and cannot be reopened then', async () => {
    const [{ id } = {}] = await rows(source, 'select id from organizations');
    await source.app.get(RequestLog).write();
    await ops.source('org close --org my-organization');
    expect((await refusalOf(ops.source('org close --org my-organization'))).code).toBe('ORGANIZATION_STATUS');
    clock.advance(29 * day);
    await ops.source('org reopen --org my-organization');
    await ops.source('org close --org my-organization');
    const kept = async () => Number((await rows(source, 'select count(*) from audit_entries'))[0]?.count);
    const entries = await kept();
    clock.advance(30 * day + 60_000);
    await until(
      () => rows(source, 'select erased_at from organizations where id = $1', [id]),
      ([row]) => row?.erased_at !== null,
    );
    const left = await Promise.all(
      [...portableTables.map(({ name }) => name), ...Object.keys(notExported)].map(
        async (name) =>
          [name, (await rows(source, `select 1 from ${name} where org_id = $1 limit 1`, [id])).length] as const,
      ),
    );
    expect(
      left
        .filter(([, count]) => count > 0)
        .map(([name]) => name)
        .sort(),
    ).toEqual(['audit_entries', 'audit_heads', 'audit_seals']);
    expect(await kept()).toBeGreaterThan(entries);
    const [organization] = await rows(source, 'select name, slug from organizations where id = $1', [id]);
    expect(organization).toEqual({ name: 'Erased organization', slug: `erased-${(id as string).replaceAll('-', '')}` });
    const slug = organization?.slug as string;
    expect((await refusalOf(ops.source(`org reopen --org ${slug}`))).code).toBe('ORGANIZATION_STATUS');
  }, 60_000);
});
