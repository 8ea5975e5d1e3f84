import { AsyncLocalStorage } from 'node:async_hooks';
import { jest } from '@jest/globals';
import { type Claim, claiming } from '#jobs';
import { TenantDatabase } from '#persistence';
import { SystemDatabase } from '#system-database';
import type { AccessCode } from '../../../src/features/devices/access-codes/access-code.entity.js';
import { AccessCodesRepository } from '../../../src/features/devices/access-codes/access-codes.repository.js';
import { CodeCalls } from '../../../src/features/devices/access-codes/code-calls.js';
import { CodeKeeper } from '../../../src/features/devices/access-codes/code-keeper.service.js';
import { DevicesRepository } from '../../../src/features/devices/devices.repository.js';
import { clock } from '../../support/clock.js';
import { doorNames } from '../../support/doors.js';
import { dumpOf } from '../../support/dump.js';
import { keyWith } from '../../support/factories.js';
import { feedSettled } from '../../support/feed.js';
import { CodeWorld, codesOver, hour, inHours, refusal } from './code-world.js';

const day = 24 * hour;
const slots = 10;

let world: CodeWorld;
let deviceId: string;
beforeAll(async () => {
  world = await CodeWorld.start();
});
beforeEach(async () => {
  await world.reset();
  ({ deviceId } = world);
});
afterEach(() => clock.restore());
afterAll(() => world.tenant.close());

const inService = <T>(type: new (...args: never[]) => T): T => world.tenant.service.app.get<T>(type, { strict: false });
const uuidOf = (id: string): string => id.slice(id.indexOf('_') + 1);

describe.each(doorNames)('access codes over %s', (name) => {
  const door = () => world.tenant.doors[name];
  const { ask, make, made, read, statusOf, reveal } = codesOver(name, () => world);

  it('are counted by status', async () => {
    await made();
    await made({ code: '482917', type: 'time_bound', startsAt: inHours(48), endsAt: inHours(72) });
    const { data } = (await ask('countAccessCodes', { deviceId })).body;
    const { scheduled, setting, set, ...others } = data;
    expect([scheduled + setting + set, others]).toEqual([2, { removing: 0, removed: 0, failed: 0 }]);
    const since = (await ask('listAccessCodes', { deviceId, updatedSince: inHours(1) })).body.data;
    expect(since).toEqual([]);
  });

  it('are set a day ahead, changed, given new digits and removed when they end', async () => {
    const id = await made({ type: 'time_bound', startsAt: inHours(48), endsAt: inHours(72), code: '48291657' });
    expect(await read(id)).toMatchObject({ status: 'scheduled', code: '••••', reservationId: null, version: 1 });
    await world.work();
    expect(await statusOf(id)).toBe('scheduled');
    clock.advance(day);
    await world.work();
    expect(await statusOf(id)).toBe('set');
    expect(await world.simulator.counts()).toEqual({ contacts: 1, effects: 1 });
    expect(await reveal(id)).toBe('48291657');

    await ask('regenerateAccessCode', { accessCodeId: id });
    expect([await statusOf(id), await reveal(id)]).toEqual(['setting', expect.stringMatching(/^(?!48291657)\d{6}$/)]);
    await world.work();
    expect(await statusOf(id)).toBe('set');
    await ask('updateAccessCode', { accessCodeId: id, endsAt: inHours(60) });
    await world.work();
    expect(await read(id)).toMatchObject({ status: 'set', endsAt: inHours(60) });
    clock.advance(61 * hour);
    await world.work();
    expect(await statusOf(id)).toBe('removed');
    expect(refusal(await ask('regenerateAccessCode', { accessCodeId: id }))).toEqual([409, 'ACCESS_CODE_OVER']);
    expect(await world.eventsOf(id)).toEqual([
      'access_code.created',
      'access_code.set',
      'access_code.updated',
      'access_code.set',
      'access_code.updated',
      'access_code.set',
      'access_code.removed',
    ]);
  });

  it('are set immediately if they started long ago, even at the earliest date', async () => {
    const id = await made({ startsAt: '0001-01-01T00:00:00Z' });
    await world.work();
    expect(await statusOf(id)).toBe('set');
  });

  it('are rejected if their times are inconsistent, and at devices without codes', async () => {
    const [startsAt, endsAt] = [inHours(2), inHours(1)];
    expect(refusal(await make({ type: 'time_bound' }))).toEqual([400, 'ACCESS_CODE_WITHOUT_END']);
    expect(refusal(await make({ endsAt }))).toEqual([400, 'ACCESS_CODE_ONGOING']);
    const ongoing = { accessCodeId: await made({}), endsAt: inHours(3) };
    expect(refusal(await ask('updateAccessCode', ongoing))).toEqual([400, 'ACCESS_CODE_ONGOING']);
    expect(refusal(await make({ type: 'one_time', startsAt, endsAt }))).toEqual([400, 'ACCESS_CODE_ENDS_TOO_EARLY']);
    expect(refusal(await make({ deviceId: world.simulator.devices['sim-thermostat-1'] }))).toEqual([
      400,
      'ACCESS_CODES_NOT_OFFERED',
    ]);
    expect(refusal(await make({ code: '123' }))).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('are rejected at booking if the device has the same digits then, or no free slot', async () => {
    const first = await made({ type: 'time_bound', startsAt: inHours(100), endsAt: inHours(200), code: '1234' });
    const clashing = { type: 'time_bound', startsAt: inHours(150), endsAt: inHours(250), code: '1234' };
    const refused = await make(clashing);
    expect([...refusal(refused), refused.body.error.details.accessCodeIds]).toEqual([
      409,
      'ACCESS_CODE_CLASH',
      [first],
    ]);
    await made({ ...clashing, startsAt: inHours(230) });
    await made({ ...clashing, code: '4321' });
    const other = await made({ code: '5555', startsAt: inHours(300) });
    await made({ code: '6666' });
    expect(refusal(await ask('updateAccessCode', { accessCodeId: other, code: '6666' }))[1]).toBe('ACCESS_CODE_CLASH');
  });

  it('are rejected at a device that is archived, and with digits that it does not accept', async () => {
    const longer = `update devices set limits = limits || '{"minCodeLength": 6}' where org_id = $1 and id = $2`;
    await inService(SystemDatabase).rows(longer, [uuidOf(world.tenant.orgId), uuidOf(deviceId)]);
    expect(refusal(await make({ code: '12345' }))).toEqual([400, 'ACCESS_CODE_LENGTH']);
    expect((await make({ code: '123456' })).status).toBe(201);
    const archived = world.simulator.devices['sim-lock-2'];
    expect((await ask('archiveDevice', { deviceId: archived })).status).toBe(200);
    expect(refusal(await make({ deviceId: archived }))).toEqual([409, 'DEVICE_ARCHIVED']);
  });

  it('are processed by one process at a time, which records nothing on a code that has changed', async () => {
    const id = await made();
    const codes = inService(AccessCodesRepository);
    const row = { orgId: world.tenant.orgId, id };
    const claim = (await codes.claims.take(row)) as Claim;
    const code = (await codes.ofClaim(claim, inHours(0))) as AccessCode;
    expect(code.id).toBe(id);
    expect(await codes.claims.take(row)).toBeUndefined();
    await ask('updateAccessCode', { accessCodeId: id, name: 'Gardeners' });
    expect(await codes.note(code, { asked: true })).toBe(false);
  });

  it('are skipped if they are no longer due when they are claimed', async () => {
    const id = await made();
    const { claims } = inService(AccessCodesRepository);
    const row = { orgId: world.tenant.orgId, id };
    const claim = (await claims.take(row)) as Claim;
    await ask('updateAccessCode', { accessCodeId: id, startsAt: inHours(72) });
    await inService(CodeKeeper).perform(claim, new AbortController().signal);
    expect(await statusOf(id)).toBe('scheduled');
    expect(await claims.takeEarly(row)).toBeDefined();
  });

  it('are claimed while somebody locks their device', async () => {
    const id = await made();
    const apart = AsyncLocalStorage.snapshot();
    await inService(TenantDatabase).transaction(world.tenant.orgId, async () => {
      await inService(DevicesRepository).findAnyForChange(world.tenant.orgId, deviceId);
      await apart(() => world.work());
    });
    expect(await statusOf(id)).toBe('set');
  });

  it('are not completed by an attempt whose claim another has taken over', async () => {
    const id = await made();
    let answer: (late: { outcome: 'confirmed'; providerRef: string }) => void = () => undefined;
    const asked = new Promise<void>((resolve) => {
      jest.spyOn(inService(CodeCalls), 'set').mockImplementationOnce(() => {
        resolve();
        return new Promise((settle) => (answer = settle));
      });
    });
    const attempt = () =>
      claiming(inService(CodeKeeper)).perform({ orgId: world.tenant.orgId, id }, new AbortController().signal);
    const first = attempt();
    await asked;
    jest.restoreAllMocks();
    await world.simulator.behave('unreachable');
    clock.advance(91_000);
    await attempt();
    answer({ outcome: 'confirmed', providerRef: 'late' });
    await first;
    expect(await statusOf(id)).toBe('setting');
  });

  it('give the last slot to one of several simultaneous requests', async () => {
    for (let taken = 0; taken < slots - 1; taken += 1) await made();
    const answers = await Promise.all([1, 2, 3].map(() => make({})));
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused.map(refusal)).toEqual([
      [409, 'ACCESS_CODE_SLOTS'],
      [409, 'ACCESS_CODE_SLOTS'],
    ]);
  });

  it('keep their connection from being disconnected, unless that is forced', async () => {
    const { connectionId } = world.simulator;
    const [there, ahead] = [await made(), await made({ startsAt: inHours(48) })];
    await world.work();
    const refused = await ask('disconnectConnection', { connectionId });
    expect([...refusal(refused), refused.body.error.details.accessCodeIds.toSorted()]).toEqual([
      409,
      'CONNECTION_HAS_ACCESS_CODES',
      [there, ahead].toSorted(),
    ]);
    expect((await ask('getConnection', { connectionId })).body.data.status).toBe('connected');
    expect(await statusOf(there)).toBe('set');
    const ended = await ask('disconnectConnection', { connectionId, force: true });
    expect([ended.status, ended.body.data.status]).toEqual([200, 'disconnected']);
    for (const id of [there, ahead]) {
      expect(await read(id)).toMatchObject({ status: 'failed', failedBecause: 'connection_ended' });
      expect((await world.eventsOf(id)).at(-1)).toBe('access_code.failed');
    }
  });

  it('are set and removed while remote control is off, which stops only commands', async () => {
    await ask('updateDevice', { deviceId, remoteControlEnabled: false });
    await ask('updateOrganization', { remoteControlEnabled: false });
    expect(refusal(await ask('unlockDevice', { deviceId }))).toEqual([403, 'REMOTE_CONTROL_DISABLED']);
    const id = await made();
    await world.work();
    expect(await statusOf(id)).toBe('set');
    await ask('removeAccessCode', { accessCodeId: id });
    await world.work();
    expect(await statusOf(id)).toBe('removed');
    await ask('updateOrganization', { remoteControlEnabled: true });
  });

  it('are retried while their provider is unreachable, and never set twice', async () => {
    await world.simulator.behave('unreachable');
    const id = await made({ type: 'time_bound', endsAt: inHours(48) });
    await world.work();
    expect(await statusOf(id)).toBe('setting');
    await world.simulator.behave('lose-answer');
    await world.work();
    expect(await world.simulator.counts()).toEqual({ contacts: 0, effects: 0 });
    clock.advance(10_000);
    await world.work();
    expect([await statusOf(id), await world.simulator.counts()]).toEqual(['setting', { contacts: 1, effects: 1 }]);
    clock.advance(hour);
    await world.work();
    expect([await statusOf(id), await world.simulator.counts()]).toEqual(['set', { contacts: 1, effects: 1 }]);

    await world.simulator.behave('refuse');
    const refused = await made();
    await ask('removeAccessCode', { accessCodeId: id });
    await world.work();
    expect(await read(refused)).toMatchObject({ status: 'failed', failedBecause: 'refused' });
    expect(await statusOf(id)).toBe('removing');
    await world.simulator.behave('ok');
    clock.advance(hour);
    await world.work();
    expect(await statusOf(id)).toBe('removed');
    expect(await world.eventsOf(id)).toEqual([
      'access_code.created',
      'access_code.set',
      'access_code.updated',
      'access_code.removed',
    ]);
  });

  it('show their digits only to callers with permission, and each time leaves an audit entry', async () => {
    const digits = name === 'rest' ? '90817263' : '91827364';
    const id = await made({ code: digits });
    await world.work();
    expect(await statusOf(id)).toBe('set');
    const scopes = ['access-codes:read', 'access-codes:write'];
    const blind = door().as((await keyWith(world.tenant.api, { scopes })).key);
    expect((await blind.ask('revealAccessCode', { accessCodeId: id })).status).toBe(403);
    expect((await blind.ask('updateAccessCode', { accessCodeId: id, name: 'x' })).body.data.code).toBe('••••');
    expect(await reveal(id)).toBe(digits);
    await feedSettled(world.tenant.service);
    const { body } = await world.tenant.api.get('/audit-entries?action=revealAccessCode&limit=1');
    expect(body.data[0]).toMatchObject({ action: 'revealAccessCode', target: { type: 'access_code', id } });
    const dump = await dumpOf(world.tenant.service.database.url);
    expect(dump).toContain(id.slice('code_'.length, 'code_'.length + 8));
    expect(dump).not.toContain(digits);
  });

  it('are visible to a limited credential only at its properties', async () => {
    const limited = door().as(world.tenant.limited.key);
    const accessCodeId = await made();
    const sees = async (): Promise<unknown[]> => [
      (await limited.ask('listAccessCodes', { deviceId })).body.data.length,
      (await limited.ask('revealAccessCode', { accessCodeId })).status,
      (await limited.ask('updateAccessCode', { accessCodeId, name: 'Mine' })).status,
      (await limited.ask('createAccessCode', { deviceId, name: 'Mine', type: 'ongoing' })).status,
    ];
    expect(await sees()).toEqual([0, 404, 404, 404]);
    await ask('updateDevice', { deviceId, propertyId: world.tenant.here });
    expect(await sees()).toEqual([1, 200, 200, 201]);
    for (const list of ['listAccessCodes', 'listConnections', 'listModelJobs', 'listDevices'])
      expect([list, (await limited.ask(list, { propertyId: world.tenant.elsewhere })).status]).toEqual([list, 404]);
    expect((await door().as(world.tenant.stranger.key).ask('removeAccessCode', { accessCodeId })).status).toBe(404);
  });
});
