import { uuidIn } from '#persistence';
import { SystemDatabase } from '#system-database';
import { DeviceCommandsRepository } from '../../../src/features/devices/commands/device-commands.repository.js';
import { day } from '../../support/hotel.js';
import type { Service } from '../../support/start-app.js';
import { asking, type Case, type World } from './world.js';

/** Of devices and their codes. */
export async function doorsAndCodes(world: World, service: Service): Promise<Case[]> {
  const { simulator, done, door } = world;
  const ask = asking(world);
  const { 'sim-lock-1': lock, 'sim-thermostat-1': thermostat, 'sim-lock-2': other } = simulator.devices;
  const limits = async (deviceId: string, given: object): Promise<void> => {
    const sql = `update devices set limits = limits || $1::jsonb where id = $2`;
    await service.app.get(SystemDatabase).rows(sql, [JSON.stringify(given), uuidIn(deviceId)]);
  };
  const codeOf = (wishes: object = {}) =>
    done('createAccessCode', { deviceId: lock, name: 'Cleaners', type: 'ongoing', ...wishes });
  const bound = { type: 'time_bound', startsAt: `${day(2)}T00:00:00Z`, endsAt: `${day(3)}T00:00:00Z` };
  const update = (code: string, wishes: object, input: object): Case =>
    ask('updateAccessCode', code, async () => ({ accessCodeId: (await codeOf(wishes)).id, ...input }));
  /** More codes than there are slots: the vendor has fewer than it reported before. */
  const crowded = async () => {
    await limits(lock, { codeSlots: 100 });
    const [one] = [await codeOf(), await codeOf()];
    await limits(lock, { codeSlots: 1 });
    return { accessCodeId: one.id };
  };
  const busy = (name: string, input: object): Case => [
    name,
    'DEVICE_BUSY',
    () => {
      jest.spyOn(service.app.get(DeviceCommandsRepository), 'openAt').mockResolvedValueOnce(20);
      return door.ask(name, input);
    },
  ];
  return [
    busy('unlockDevice', { deviceId: lock }),
    busy('setDeviceMode', { deviceId: thermostat, mode: 'heat' }),
    busy('setDeviceTemperature', { deviceId: thermostat, temperature: 20 }),
    ask('unlockDevice', 'DEVICE_OPERATION_NOT_OFFERED', { deviceId: thermostat }),
    ask('setDeviceMode', 'DEVICE_OPERATION_NOT_OFFERED', { deviceId: lock, mode: 'heat' }),
    ask('setDeviceTemperature', 'DEVICE_OPERATION_NOT_OFFERED', { deviceId: lock, temperature: 20 }),
    update('ACCESS_CODE_ENDS_TOO_EARLY', bound, { endsAt: `${day(1)}T00:00:00Z` }),
    ask('updateAccessCode', 'ACCESS_CODE_OVER', async () => {
      const { id: accessCodeId } = await codeOf(bound);
      await done('removeAccessCode', { accessCodeId });
      return { accessCodeId, name: 'Late' };
    }),
    ask('updateAccessCode', 'ACCESS_CODE_LENGTH', async () => {
      const { id: accessCodeId } = await codeOf();
      await limits(lock, { minCodeLength: 6 });
      return { accessCodeId, code: '12345' };
    }),
    ask('regenerateAccessCode', 'ACCESS_CODE_SLOTS', crowded),
    ask('updateAccessCode', 'ACCESS_CODE_SLOTS', async () => ({
      ...(await crowded()),
      startsAt: `${day(1)}T00:00:00Z`,
    })),
    ask('createAccessCode', 'PROPERTY_ARCHIVED', async () => {
      const { id: propertyId } = await done('createProperty', { name: 'House', timezone: 'UTC' });
      await done('updateDevice', { deviceId: other, propertyId });
      await done('archiveProperty', { propertyId });
      return { deviceId: other, name: 'Cleaners', type: 'ongoing' };
    }),
    ...(['setDeviceMode', 'setDeviceTemperature'] as const).map((name) =>
      ask(name, 'REMOTE_CONTROL_DISABLED', async () => {
        await done('updateDevice', { deviceId: thermostat, remoteControlEnabled: false });
        return { deviceId: thermostat, ...(name === 'setDeviceMode' ? { mode: 'heat' } : { temperature: 20 }) };
      }),
    ),
    ask('setDeviceTemperature', 'DEVICE_ARCHIVED', async () => {
      await done('archiveDevice', { deviceId: thermostat });
      return { deviceId: thermostat, temperature: 20 };
    }),
    ask('setDeviceMode', 'DEVICE_ARCHIVED', { deviceId: thermostat, mode: 'heat' }),
  ];
}
