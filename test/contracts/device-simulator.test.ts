import { ConnectionAccounts } from '../../src/outside/connections/connection-accounts.js';
import { DeviceProviders } from '../../src/features/devices/providers/device-providers.js';
import { startApp } from '../support/start-app.js';
import { describeDeviceProvider } from './device-provider.contract.js';

describeDeviceProvider('simulator', async () => {
  const service = await startApp();
  const { api, app } = service;
  const orgId = (await api.get('/me')).body.data.organization.id as string;
  const made = await api.post('/connections', { provider: 'simulator', kind: 'device', name: 'Simulated' });
  const connectionId = made.body.data.id as string;
  const account = await app.get(ConnectionAccounts).of(orgId, connectionId);
  if (!account) throw new Error('There is no connection');
  return {
    provider: app.get(DeviceProviders).named('simulator'),
    account,
    lock: 'sim-lock-1',
    thermostat: 'sim-thermostat-1',
    cannot: {
      slow: 'It takes fifteen seconds of the clock, which the commands’ own tests move.',
      hang: 'It is slow instead.',
    },
    treat: (how) => {
      account.settings = { behaviour: { 'sim-lock-1': how } };
      return Promise.resolve();
    },
    effects: async (device) => (await api.get(`/connections/${connectionId}`)).body.data.simulator[device].effects,
    close: () => service.close(),
  };
});
