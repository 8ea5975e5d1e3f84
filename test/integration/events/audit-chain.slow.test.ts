import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { SystemDatabase } from '#system-database';
import { newId } from '#persistence';
import { contentOf, hashOf } from '../../../src/platform/audit/audit-chain.js';
import type { AuditEntryView } from '../../../src/platform/audit/audit-entry.dto.js';
import { AuditSealer } from '../../../src/platform/audit/audit-sealer.js';
import { AuditSealsRepository, chainName, headText } from '../../../src/platform/audit/audit-seals.repository.js';
import { AuditSignatures } from '../../../src/platform/audit/audit-signatures.js';
import { AuditService } from '../../../src/platform/audit/audit.service.js';
import { AuditVerification } from '../../../src/platform/audit/audit-verification.service.js';
import { FoundingService } from '../../../src/tenancy/founding/founding.service.js';
import type { Json } from '../../support/api.js';
import { until } from '../../support/feed.js';
import { keyWith, taskOf } from '../../support/factories.js';
import { type Ops, startOps } from '../../support/ops.js';
import { type Service, startApp } from '../../support/start-app.js';

let service: Service;
let ops: Ops;
/** An attacker with access to the database, but without the keyring. */
let owner: pg.Client;
beforeAll(async () => {
  service = await startApp();
  ops = await startOps(service);
  owner = new pg.Client({ connectionString: service.database.url });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await ops.close();
  await service.close();
});

const sealer = (): AuditSealer => service.app.get(AuditSealer);
const verify = (orgId: string, flags = ''): Promise<Json> => ops(`audit verify --org ${orgId}${flags}`);
/** Transactions of other test files delay the horizon, and the service's own timer may be sealing. */
const settled = async (orgId: string): Promise<Json> =>
  await until(
    async () => {
      await sealer().runDue();
      return await verify(orgId);
    },
    ({ unsealed }) => unsealed === 0,
  );

const uuidOf = (orgId: string): string => orgId.slice(4);
let organizations = 0;
/** A new organization with the entries of its founding, sealed. */
async function sealedOrganization(): Promise<{ orgId: string; uuid: string }> {
  const name = `Sealed ${(organizations += 1)}`;
  const { organization } = await service.app.get(FoundingService).found({ name });
  await settled(organization.id);
  return { orgId: organization.id, uuid: uuidOf(organization.id) };
}
const add = async (orgId: string, count: number): Promise<void> => {
  const act = { action: 'test', actor: { type: 'service' } as const };
  await service.app.get(SystemDatabase).transaction(async () => {
    for (let made = 0; made < count; made += 1) {
      const target = { type: 'organization', id: orgId };
      await service.app
        .get(AuditService)
        .record(orgId, { target, after: { made, nothing: undefined, 'ü"\n': [1.5, null] } }, act);
    }
  });
};
const faultsOf = async (orgId: string, flags = ''): Promise<[boolean, string[]]> => {
  const { valid, faults } = await verify(orgId, flags);
  return [valid as boolean, (faults as Json[]).map(({ fault }) => fault as string)];
};
const entryAt = '(select entry_id from audit_seals where org_id = $1 and position = $2)';

describe('the chain', () => {
  it('contains every entry once, in batches and with several sealers, and shows what waits', async () => {
    const { orgId } = await sealedOrganization();
    const before = await verify(orgId);
    expect(before).toMatchObject({
      valid: true,
      entries: 6,
      sealed: 6,
      unsealed: 0,
      head: { position: 6 },
      faults: [],
    });
    await add(orgId, 2_100);
    const sealers = [1, 2, 3].map(() => sealer().runDue());
    const meanwhile = await verify(orgId);
    expect([meanwhile.valid, meanwhile.entries]).toEqual([true, 2_106]);
    await Promise.all(sealers);
    expect(await settled(orgId)).toMatchObject({
      valid: true,
      entries: 2_106,
      sealed: 2_106,
      head: { position: 2_106 },
    });
    const { position, hash } = before.head;
    expect(await faultsOf(orgId, ` --position ${position} --hash ${hash}`)).toEqual([true, []]);
  });

  it('skips no entry that commits late', async () => {
    const { api } = await keyWith(service.api);
    const { id: orgId } = (await api.get('/organization')).body.data;
    const late = new pg.Client({ connectionString: service.database.url });
    await late.connect();
    try {
      await late.query('begin; select pg_current_xact_id()');
      const id = await taskOf(api);
      await sealer().runDue();
      expect((await api.get(`/audit-entries?targetId=${id}`)).body.data).toMatchObject([{ seal: null }]);
      expect((await verify(orgId)).unsealed).toBeGreaterThan(0);
      await late.query('commit');
    } finally {
      await late.end();
    }
    const { valid, entries, head } = await settled(orgId);
    expect([valid, head.position]).toEqual([true, entries]);
  });

  it('is sealed by nobody while another process seals it', async () => {
    const { orgId, uuid } = await sealedOrganization();
    const other = new pg.Client({ connectionString: service.database.url });
    await other.connect();
    try {
      await other.query('begin');
      await other.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [chainName(orgId)]);
      await add(orgId, 1);
      await sealer().runDue();
      const { rows } = await owner.query('select position::integer from audit_heads where org_id = $1', [uuid]);
      expect(rows).toEqual([{ position: 6 }]);
    } finally {
      await other.end();
    }
    expect((await settled(orgId)).head.position).toBe(7);
  });

  it('can be verified with the export and the program of docs/audit.md', async () => {
    const { api } = await keyWith(service.api);
    const { id: orgId } = (await api.get('/organization')).body.data;
    const { head } = await settled(orgId);
    const { text } = await api.get('/audit-entries/export');
    const [, program] = /```js\n(.*?)```/s.exec(readFileSync('docs/audit.md', 'utf8')) ?? [];
    const folder = mkdtempSync(join(tmpdir(), 'pos-audit-'));
    const file = join(folder, 'follow.mjs');
    writeFileSync(file, program as string);
    const follow = (input: string) =>
      execFileSync(process.execPath, [file, orgId as string], {
        input,
        stdio: ['pipe', 'pipe', 'ignore'],
      }).toString();
    expect(follow(text)).toBe(`${head.position} ${head.hash}\n`);
    expect(() => follow(text.replace('createApiKey', 'createTask'))).toThrow('Command failed');
    rmSync(folder, { recursive: true });
  });

  it('is inaccessible to the database roles of the service', async () => {
    const { uuid } = await sealedOrganization();
    for (const role of ['app_user', 'app_system']) {
      await owner.query('begin');
      await owner.query(`set local role ${role}`);
      await owner.query(`set local app.org_id = '${uuid}'`);
      const attempts = [
        `update audit_entries set action = 'x'`,
        'delete from audit_entries',
        'truncate audit_entries',
        `update audit_seals set hash = ''`,
        'delete from audit_seals',
        'delete from audit_heads',
        ...(role === 'app_user'
          ? ['insert into audit_seals select * from audit_seals', 'update audit_heads set position = 0']
          : []),
      ];
      for (const attempt of attempts) {
        await owner.query('savepoint attempt');
        await expect(owner.query(attempt)).rejects.toThrow('permission denied');
        await owner.query('rollback to attempt');
      }
      await owner.query('rollback');
    }
  });
});

describe('the log id of an entry', () => {
  /** An organization whose last entry has one, at position 7. */
  const withLogId = async () => {
    const made = await sealedOrganization();
    const act = { action: 'test', actor: { type: 'service' }, requestId: 'mine', logId: newId('request') } as const;
    const change = { target: { type: 'organization', id: made.orgId } };
    await service.app.get(AuditService).record(made.orgId, change, act);
    await settled(made.orgId);
    return made;
  };
  /** As a node of the previous version, which does not know it, would have sealed the entry. */
  const sealWithout = async ({ orgId, uuid }: { orgId: string; uuid: string }): Promise<void> => {
    const { rows } = await owner.query(
      `select encode(hash, 'hex') as hash from audit_seals where org_id = $1 and position = 6`,
      [uuid],
    );
    const [entry] = (await service.app.get(AuditSealsRepository).seals(orgId, 6, 1)).map((seal) => seal.entry);
    const content = contentOf({ ...(entry as AuditEntryView), logId: undefined });
    const hash = hashOf(rows[0].hash as string, 7, content);
    const head = service.app.get(AuditSignatures).sign(orgId, headText({ position: 7, hash }));
    await owner.query(`update audit_seals set hash = decode($2, 'hex') where org_id = $1 and position = 7`, [
      uuid,
      hash,
    ]);
    await owner.query(`update audit_heads set hash = decode($2, 'hex'), signature = $3 where org_id = $1`, [
      uuid,
      hash,
      head,
    ]);
  };
  const change = (uuid: string, to: string) =>
    owner.query(`update audit_entries set log_id = ${to} where org_id = $1 and id = ${entryAt}`, [uuid, 7]);

  it('is not part of entries from before it existed', () => {
    const entry: AuditEntryView = {
      id: 'audit_1',
      actor: { type: 'service' },
      credential: null,
      onBehalfOf: null,
      action: 'test',
      target: { type: 'task', id: 'task_1' },
      propertyId: null,
      before: null,
      after: null,
      requestId: 'r',
      createdAt: '2030-01-01T00:00:00.000Z',
      seal: null,
    };
    expect(contentOf(entry)).toBe(
      '{"id":"audit_1","actor":{"type":"service"},"credential":null,"onBehalfOf":null,"action":"test",' +
        '"target":{"type":"task","id":"task_1"},"propertyId":null,"before":null,"after":null,"requestId":"r",' +
        '"createdAt":"2030-01-01T00:00:00.000Z"}',
    );
    expect(contentOf({ ...entry, logId: 'request_1' })).toContain('"logId":"request_1"');
  });

  it.each([
    ['removed', 'null', 'changed'],
    ['changed', 'gen_random_uuid()', 'changed'],
  ])('is sealed: one that is %s is found', async (_, to, fault) => {
    const { orgId, uuid } = await withLogId();
    expect(await faultsOf(orgId)).toEqual([true, []]);
    await change(uuid, to);
    expect(await faultsOf(orgId)).toEqual([false, [fault]]);
  });

  it('does not invalidate a seal of a node that did not know it, and cannot be changed after that seal', async () => {
    const made = await withLogId();
    await sealWithout(made);
    expect(await faultsOf(made.orgId)).toEqual([true, []]);
    for (const to of ['gen_random_uuid()', 'null']) {
      await change(made.uuid, to);
      expect(await faultsOf(made.orgId)).toEqual([false, ['forged']]);
    }
  });

  it('cannot be added to an entry without one', async () => {
    const { orgId, uuid } = await sealedOrganization();
    await owner.query(`update audit_entries set log_id = gen_random_uuid() where org_id = $1 and id = ${entryAt}`, [
      uuid,
      3,
    ]);
    expect(await faultsOf(orgId)).toEqual([false, ['forged']]);
  });
});

describe('ops audit verify finds', () => {
  it.each([
    [
      'a changed entry',
      `update audit_entries set action = 'nothing' where org_id = $1 and id = ${entryAt}`,
      ['changed'],
    ],
    [
      'a changed detail',
      `update audit_entries set after = (after::jsonb || '{"name": "x"}')::json where org_id = $1 and id = ${entryAt}`,
      ['changed'],
    ],
    ['a missing entry', `delete from audit_entries where org_id = $1 and id = ${entryAt}`, ['missing']],
  ])('%s', async (_, tampering, faults) => {
    const { orgId, uuid } = await sealedOrganization();
    await owner.query(tampering, [uuid, 3]);
    expect(await faultsOf(orgId)).toEqual([false, faults]);
    const [fault] = (await verify(orgId)).faults;
    expect(fault).toMatchObject({ position: 3, entryId: expect.stringMatching(/^audit_/) });
  });

  it('an entry that is missing together with its seal, in the middle and at the end', async () => {
    const { orgId, uuid } = await sealedOrganization();
    const remove = async (position: number): Promise<void> => {
      await owner.query(`delete from audit_entries where org_id = $1 and id = ${entryAt}`, [uuid, position]);
      await owner.query('delete from audit_seals where org_id = $1 and position = $2', [uuid, position]);
    };
    await remove(6);
    expect(await faultsOf(orgId)).toEqual([false, ['missing']]);
    await remove(2);
    expect(await faultsOf(orgId)).toEqual([false, ['missing', 'changed', 'missing']]);
  });

  it('an entry that was inserted, before its seal or among the sealed ones', async () => {
    const copy = (transaction: string): string => `
      insert into audit_entries select (jsonb_populate_record(e,
          jsonb_build_object('id', gen_random_uuid(), 'action', 'nothing', 'transaction_id', ${transaction}))).*
        from audit_entries e where e.org_id = $1 and e.id = ${entryAt}`;
    const among = await sealedOrganization();
    await owner.query(copy("'1'"), [among.uuid, 3]);
    expect(await faultsOf(among.orgId)).toEqual([false, ['inserted']]);
    const behind = await sealedOrganization();
    await owner.query(copy('pg_current_xact_id()::text'), [behind.uuid, 3]);
    // Sealed or not: the service did not sign it.
    expect((await faultsOf(behind.orgId))[0]).toBe(false);
    expect(await settled(behind.orgId)).toMatchObject({ valid: false, faults: [{ fault: 'forged', position: 7 }] });
  });

  it('a chain that was shortened or rewritten, and seals nothing onto it', async () => {
    const { orgId, uuid } = await sealedOrganization();
    const { head } = await verify(orgId);
    await owner.query(`delete from audit_entries where org_id = $1 and id = ${entryAt}`, [uuid, 6]);
    await owner.query('delete from audit_seals where org_id = $1 and position = 6', [uuid]);
    await owner.query(
      `update audit_heads h set position = 5, hash = s.hash from audit_seals s
        where h.org_id = $1 and s.org_id = $1 and s.position = 5`,
      [uuid],
    );
    expect(await faultsOf(orgId)).toEqual([false, ['head']]);
    await add(orgId, 1);
    await sealer().runDue();
    expect(await verify(orgId)).toMatchObject({ valid: false, unsealed: 1, head: { position: 5 } });
    // All seals are gone: the service would start again, and only a head that was stored elsewhere reveals it.
    await owner.query('delete from audit_seals where org_id = $1', [uuid]);
    await owner.query('delete from audit_heads where org_id = $1', [uuid]);
    expect(await settled(orgId)).toMatchObject({ valid: true, entries: 6 });
    const kept = ` --position ${head.position} --hash ${head.hash}`;
    expect(await faultsOf(orgId, kept)).toEqual([false, ['known_head']]);
  });

  it('requires both parts of a head', async () => {
    await expect(verify('my-organization', ' --position 3')).rejects.toThrow('Field --hash: Pass --position');
    await expect(service.app.get(AuditVerification).verify(`org_${'0'.repeat(32)}`)).resolves.toMatchObject({
      valid: true,
      entries: 0,
      head: null,
    });
  });
});
