import { simulatorOf } from '../../../support/simulator.js';
import { deleting, made, patching, posting, type Scenes, world } from './world.js';

export const lock = async (): Promise<string> => (await simulatorOf(world.api)).devices['sim-lock-1'];

export const accessCode = async (): Promise<string> =>
  await made('/access-codes', {
    deviceId: await lock(),
    name: 'Cleaners',
    type: 'ongoing',
    startsAt: '2040-01-01T00:00:00Z',
  });

const thermostat = async (): Promise<string> => (await simulatorOf(world.api)).devices['sim-thermostat-1'];

const ofDevice = (path: string) => (id: string) => `/devices/${id}${path}`;

export const ofCode = (path: string) => (id: string) => `/access-codes/${id}${path}`;

export const devices: Scenes = {
  updateDevice: [['device.updated'], patching(lock, ofDevice(''), { name: 'Cellar' })],
  archiveDevice: [['device.archived'], posting(lock, ofDevice('/archive'))],
  restoreDevice: [
    ['device.restored'],
    async () => {
      const id = await lock();
      await world.api.post(`/devices/${id}/archive`);
      return () => world.api.post(`/devices/${id}/restore`);
    },
  ],
  lockDevice: [['device_command.requested', 'device_command.succeeded'], posting(lock, ofDevice('/lock'))],
  unlockDevice: [
    ['device_command.requested', 'device_command.succeeded', 'device.state_changed'],
    posting(lock, ofDevice('/unlock')),
  ],
  setDeviceMode: [
    ['device_command.requested', 'device_command.succeeded', 'device.state_changed'],
    posting(thermostat, ofDevice('/mode'), { mode: 'cool' }),
  ],
  setDeviceTemperature: [
    ['device_command.requested', 'device_command.succeeded', 'device.state_changed'],
    posting(thermostat, ofDevice('/temperature'), { temperature: 21 }),
  ],
  createAccessCode: [
    ['access_code.created'],
    async () => {
      const code = { deviceId: await lock(), name: 'Cleaners', type: 'ongoing', startsAt: '2040-01-01T00:00:00Z' };
      return () => world.api.post('/access-codes', code);
    },
  ],
  updateAccessCode: [['access_code.updated'], patching(accessCode, ofCode(''), { name: 'Gardeners' })],
  regenerateAccessCode: [['access_code.updated'], posting(accessCode, ofCode('/regenerate'))],
  removeAccessCode: [['access_code.removed'], deleting(accessCode, ofCode(''))],
};
