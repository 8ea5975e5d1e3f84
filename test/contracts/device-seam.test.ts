import { Webhook } from 'standardwebhooks';
import { Outbound } from '#outbound';
import { newId } from '#persistence';
import type { Credentials } from '../../src/outside/connections/connection.dto.js';
import type { DeviceOrder } from '../../src/features/devices/providers/device-provider.js';
import type { DeviceProviders } from '../../src/features/devices/providers/device-providers.js';
import { allPages, type SeamAnswer } from '../../src/features/devices/providers/seam/seam-client.js';
import type { SeamSettings } from '../../src/features/devices/providers/seam/seam-settings.dto.js';
import { SeamProvider } from '../../src/features/devices/providers/seam/seam.provider.js';
import { accountOf } from '../support/account.js';
import { type SeamServer, startSeamServer } from '../support/seam-server.js';
import { describeDeviceProvider } from './device-provider.contract.js';

const nobodyListens = 'http://127.0.0.1:1';
const noRegister = { register: () => undefined } as unknown as DeviceProviders;
const adapter = (): SeamProvider => new SeamProvider(noRegister, new Outbound(['127.0.0.1']));

describeDeviceProvider('seam', async () => {
  const server = await startSeamServer();
  const account = accountOf<SeamSettings>('seam', { endpoint: server.url }, { apiKey: server.apiKey });
  return {
    provider: adapter(),
    account,
    lock: server.lock,
    thermostat: server.thermostat,
    cannot: {},
    treat: (how) => {
      account.settings = { endpoint: how === 'unreachable' ? nobodyListens : server.url };
      server.treat(how === 'unreachable' ? 'ok' : how);
      return Promise.resolve();
    },
    effects: (device) => Promise.resolve(server.effects(device)),
    close: () => server.close(),
  };
});

describe('the connection to Seam', () => {
  let server: SeamServer;
  beforeAll(async () => {
    server = await startSeamServer();
  });
  beforeEach(() => server.treat('ok'));
  afterAll(() => server.close());

  const accountWith = (credentials: Credentials) =>
    accountOf<SeamSettings>('seam', { endpoint: server.url }, { apiKey: server.apiKey, ...credentials });
  const signal = (): AbortSignal => AbortSignal.timeout(10_000);
  const unlock = (): DeviceOrder => ({
    commandId: newId('command'),
    providerDeviceId: server.lock,
    action: { operation: 'unlockDevice' },
  });

  it('distinguishes invalid and revoked Seam keys from unreadable responses', async () => {
    const refused = { outcome: 'refused', retryable: false };
    for (const apiKey of ['', 'sk_live_of_somebody_else', 'seam_unknown1_token']) {
      expect(await adapter().discover(accountWith({ apiKey }), signal())).toEqual(refused);
      expect(await adapter().send(accountWith({ apiKey }), unlock(), signal())).toEqual(refused);
    }
    server.treat('malformed-all');
    const account = accountWith({});
    expect(await adapter().discover(account, signal())).toEqual({ outcome: 'unknown' });
    expect(await adapter().readState(account, server.lock, signal())).toEqual({ outcome: 'unknown' });
    expect(await adapter().codes.list(account, server.lock, signal())).toEqual({ outcome: 'unknown' });
  });

  it('connects only where the guard allows', async () => {
    const guarded = new SeamProvider(noRegister, new Outbound());
    const asked = server.asked.length;
    expect(await guarded.send(accountWith({}), unlock(), signal())).toEqual({ outcome: 'unreachable' });
    expect(server.asked).toHaveLength(asked);
    expect(() => guarded.check({ endpoint: server.url })).toThrow('endpoint: ');
    expect(() => guarded.check({ endpoint: 'https://connect.getseam.com' })).not.toThrow();
  });

  it('sends a command as one request, and no other request before it is needed', async () => {
    const from = server.asked.length;
    await adapter().send(accountWith({}), unlock(), signal());
    expect(server.asked.slice(from)).toEqual(['/locks/unlock_door']);
  });

  it('reads a list page by page', async () => {
    const asked: object[] = [];
    const pages = [
      { devices: [1, 2], pagination: { has_next_page: true, next_page_cursor: 'second' } },
      { devices: [3], pagination: { has_next_page: false, next_page_cursor: 'none' } },
    ];
    const call = (_path: string, body: object) => Promise.resolve(pages[asked.push(body) - 1] as object as SeamAnswer);
    expect(await allPages(call, 'devices/list', 'devices')).toEqual([1, 2, 3]);
    expect(asked).toEqual([{}, { page_cursor: 'second' }]);
  });

  it('keeps a code at its lock through a change of its time, and finds a conflicting one', async () => {
    const account = accountWith({});
    const { codes } = adapter();
    const order = {
      codeId: newId('code'),
      providerDeviceId: server.lock,
      name: 'Guest',
      code: '739154',
      startsAt: '2026-08-01T13:00:00.000Z',
      endsAt: '2026-08-03T09:00:00.000Z',
      isOneTime: false,
    };
    const first = await codes.set(account, order, signal());
    const moved = await codes.set(account, { ...order, endsAt: '2026-08-05T09:00:00.000Z' }, signal());
    expect(moved).toMatchObject({ providerRef: (first as { providerRef: string }).providerRef });
    const listed = await codes.list(account, server.lock, signal());
    expect(listed).toMatchObject({ outcome: 'read', value: [{ code: '739154', endsAt: '2026-08-05T09:00:00.000Z' }] });
    expect(await codes.set(account, { ...order, name: 'Somebody else' }, signal())).toEqual({
      outcome: 'refused',
      retryable: false,
      reason: 'duplicate',
    });
  });

  it('accepts only recent events that are signed with the webhook’s secret', async () => {
    const secret = `whsec_${Buffer.from('a secret of thirty-two bytes....').toString('base64')}`;
    const account = accountWith({ webhookSecret: secret });
    const read = (body: object, sentAt: Date, by = secret, forWhom = account) => {
      const text = JSON.stringify(body);
      const headers = {
        'svix-id': 'msg_1',
        'svix-timestamp': String(Math.floor(sentAt.getTime() / 1_000)),
        'svix-signature': new Webhook(by).sign('msg_1', sentAt, text),
      };
      return adapter().pushing.read?.(forWhom, { headers, body: Buffer.from(text) });
    };
    const event = { event_type: 'lock.unlocked', device_id: server.lock, occurred_at: '2026-08-01T13:00:00.000Z' };
    const now = new Date();
    expect(await read(event, now)).toEqual([
      { providerDeviceId: server.lock, reportedAt: event.occurred_at, state: { lockState: 'unlocked' } },
    ]);
    expect(await read({ ...event, event_type: 'device.low_battery', battery_level: 0.14 }, now)).toMatchObject([
      { batteryLevel: 14 },
    ]);
    expect(await read({ ...event, event_type: 'device.disconnected' }, now)).toMatchObject([{ online: false }]);
    expect(await read({ ...event, event_type: 'access_code.set_on_device' }, now)).toEqual([]);
    expect(await read({ event_type: 'lock.unlocked' }, now)).toEqual([]);
    expect(await read(event, now, `whsec_${Buffer.from('the secret of somebody else.....').toString('base64')}`)).toBe(
      undefined,
    );
    expect(await read(event, new Date(now.getTime() - 10 * 60_000))).toBe(undefined);
    expect(await read(event, now, secret, accountWith({}))).toBe(undefined);
  });
});
