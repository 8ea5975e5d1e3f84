import type { Api, Json } from './api.js';

export interface Simulator {
  connectionId: string;
  /** Ids of its devices, by the vendor's names. */
  devices: Record<'sim-lock-1' | 'sim-lock-2' | 'sim-thermostat-1', string>;
  /** How it treats commands to its devices from now on. */
  behave(behaviour: string): Promise<void>;
  /** How often the vendor was contacted about a device, and how often something took effect. */
  counts(providerDeviceId?: string): Promise<{ contacts: number; effects: number }>;
}

/** A simulated account with its two locks and its thermostat. */
export async function simulatorOf(api: Api, settings: object = {}): Promise<Simulator> {
  const wishes = { provider: 'simulator', kind: 'device', name: 'Simulated', credentials: {}, settings };
  const { status, body } = await api.post('/connections', wishes);
  if (status !== 201) throw new Error(`No connection was made: ${JSON.stringify(body)}`);
  const connectionId = body.data.id as string;
  const listed = (await api.get(`/devices?connectionId=${connectionId}`)).body.data as Json[];
  const devices = Object.fromEntries(
    listed.map(({ providerDeviceId, id }) => [providerDeviceId as string, id as string]),
  ) as Simulator['devices'];
  return {
    connectionId,
    devices,
    behave: async (behaviour) => {
      const each = Object.fromEntries(Object.keys(devices).map((device) => [device, behaviour]));
      const changed = await api.patch(`/connections/${connectionId}`, { settings: { ...settings, behaviour: each } });
      if (changed.status !== 200) throw new Error(`It does not behave: ${changed.text}`);
    },
    counts: async (device = 'sim-lock-1') =>
      (await api.get(`/connections/${connectionId}`)).body.data.simulator[device] as {
        contacts: number;
        effects: number;
      },
  };
}
