import { randomUUID } from 'node:crypto';
import type { Json } from '../support/api.js';
import { doorNames, openTarget, type Target } from '../support/target.js';

let target: Target;
beforeAll(async () => {
  target = await openTarget();
});
afterAll(() => target.close());

describe.each(doorNames)('DEV over %s', (door) => {
  const ask = (operation: Parameters<Target['ask']['REST']>[0], input: object, idempotencyKey?: string) =>
    target.ask[door](operation, input, idempotencyKey === undefined ? {} : { idempotencyKey });
  let connectionId: string;
  let lock: string;
  let thermostat: string;
  beforeEach(async () => {
    const wishes = { provider: 'simulator', kind: 'device', name: 'Acceptance', credentials: {}, settings: {} };
    connectionId = (await ask('createConnection', wishes)).body.data.id as string;
    const { data } = (await ask('listDevices', { connectionId })).body;
    const deviceId = (name: string): string => (data as Json[]).find((one) => one.providerDeviceId === name)?.id;
    [lock, thermostat] = [deviceId('sim-lock-1'), deviceId('sim-thermostat-1')];
  });
  afterEach(() => ask('disconnectConnection', { connectionId }));

  const behave = (behaviour: string) =>
    ask('updateConnection', { connectionId, settings: { behaviour: { 'sim-lock-1': behaviour } } });
  const counts = async (device = 'sim-lock-1'): Promise<[contacts: number, effects: number]> => {
    const { contacts, effects } = (await ask('getConnection', { connectionId })).body.data.simulator[device];
    return [contacts as number, effects as number];
  };

  it('carries out a command through the provider', async () => {
    for (const [operation, deviceId, args, state] of [
      ['unlockDevice', lock, {}, { lockState: 'unlocked' }],
      ['lockDevice', lock, {}, { lockState: 'locked' }],
      ['setDeviceTemperature', thermostat, { temperature: 21 }, { temperature: 21 }],
      ['setDeviceMode', thermostat, { mode: 'cool' }, { mode: 'cool' }],
    ] as const) {
      const { status, body } = await ask(operation, { deviceId, ...args });
      expect([operation, status, body.data.status]).toEqual([operation, 200, 'succeeded']);
      expect((await ask('getDevice', { deviceId })).body.data.state).toMatchObject(state);
    }
    expect([await counts(), await counts('sim-thermostat-1')]).toEqual([
      [2, 2],
      [2, 2],
    ]);
  });

  it('rejects invalid commands before any contact, with the reason', async () => {
    const refused = async (operation: 'lockDevice' | 'setDeviceMode', deviceId: string, args: object = {}) => {
      const { status, body } = await ask(operation, { deviceId, ...args });
      return [status, body.error.type, body.error.details?.key ?? body.error.code, body.error.message];
    };
    const containing = (words: string): unknown => expect.stringContaining(words);
    expect(await refused('lockDevice', thermostat)).toEqual([
      400,
      'validation_error',
      'DEVICE_OPERATION_NOT_OFFERED',
      containing('does not support'),
    ]);
    await ask('updateDevice', { deviceId: lock, remoteControlEnabled: false });
    expect(await refused('lockDevice', lock)).toEqual([
      403,
      'authorization_error',
      'REMOTE_CONTROL_DISABLED',
      containing('switched off'),
    ]);
    await ask('archiveDevice', { deviceId: lock });
    expect(await refused('lockDevice', lock)).toEqual([
      409,
      'conflict_error',
      'DEVICE_ARCHIVED',
      containing('archived'),
    ]);
    expect([await counts(), await counts('sim-thermostat-1')]).toEqual([
      [0, 0],
      [0, 0],
    ]);
  });

  it.each([
    ['refuse', 'A retry does not help'],
    ['busy', 'A retry can help'],
  ])('reports a rejection by the provider in the words of the service, each time: %s', async (how, message) => {
    await behave(how);
    for (const contacts of [1, 2]) {
      const { status, body } = await ask('unlockDevice', { deviceId: lock });
      // Nothing of the provider's own response.
      expect([status, body.error]).toEqual([
        502,
        { type: 'provider_error', code: 'CONNECTOR_ERROR', message: expect.stringContaining(message) },
      ]);
      expect(await counts()).toEqual([contacts, 0]);
    }
  });

  it('replays a rejection to the same key without contact, and tries again for a new key', async () => {
    await behave('refuse');
    const key = randomUUID();
    const first = await ask('unlockDevice', { deviceId: lock }, key);
    await behave('ok');
    const again = await ask('unlockDevice', { deviceId: lock }, key);
    expect([first.status, again.status, again.body]).toEqual([502, 502, first.body]);
    expect(await counts()).toEqual([1, 0]);
    const anew = await ask('unlockDevice', { deviceId: lock }, randomUUID());
    expect([anew.status, await counts()]).toEqual([200, [2, 1]]);
  });

  it('marks errors that must not be retried', async () => {
    await behave('corrupt');
    const { status, body } = await ask('lockDevice', { deviceId: lock });
    expect([status, body.error.type, body.error.code]).toEqual([500, 'internal_error', 'NON_RETRYABLE']);
    expect((await counts())[0]).toBe(1);
  });
});
