import type { DeviceState } from '../../../src/features/devices/device.dto.js';
import { refusalOf } from '../../../src/features/devices/device-command.js';
import { afterReport } from '../../../src/features/devices/device-condition.js';
import { Device } from '../../../src/features/devices/device.entity.js';
import { readCommandAnswer } from '../../../src/features/devices/providers/device-answers.js';
import type { DeviceAction } from '../../../src/features/devices/providers/device-provider.js';

const capabilities = {
  lockDevice: true,
  unlockDevice: false,
  setDeviceTemperature: true,
  setDeviceMode: true,
  accessCodes: false,
};
const limits = {
  minTemperature: 7,
  maxTemperature: 30,
  modes: ['heat' as const],
  codeSlots: null,
  minCodeLength: null,
  maxCodeLength: null,
};
const deviceWith = (wishes: Partial<Device> = {}): Device =>
  Object.assign(new Device(), { capabilities, limits, archivedAt: null, remoteControlEnabled: true, ...wishes });

describe('whether a command is sent', () => {
  const decided = (action: DeviceAction, wishes: Partial<Device> = {}, remoteControlEnabled = true) => {
    const refusal = refusalOf(deviceWith(wishes), { remoteControlEnabled }, action);
    return refusal && [refusal.status, refusal.details.key ?? refusal.code];
  };
  const lock: DeviceAction = { operation: 'lockDevice' };
  const warm = (temperature: number): DeviceAction => ({ operation: 'setDeviceTemperature', temperature });

  it.each<[string, unknown[] | undefined, unknown[] | undefined]>([
    ['accepts a command that the device offers', decided(lock), undefined],
    [
      'rejects an archived device first',
      decided(lock, { archivedAt: 'x', remoteControlEnabled: false }),
      [409, 'DEVICE_ARCHIVED'],
    ],
    [
      'rejects a device without remote control',
      decided(lock, { remoteControlEnabled: false }),
      [403, 'REMOTE_CONTROL_DISABLED'],
    ],
    ['rejects an organization without remote control', decided(lock, {}, false), [403, 'REMOTE_CONTROL_DISABLED']],
    [
      'rejects a command that the device does not offer',
      decided({ operation: 'unlockDevice' }),
      [400, 'DEVICE_OPERATION_NOT_OFFERED'],
    ],
    ['accepts the lowest temperature', decided(warm(7)), undefined],
    ['accepts the highest temperature', decided(warm(30)), undefined],
    ['rejects a lower temperature', decided(warm(6.99)), [400, 'DEVICE_TEMPERATURE_OUT_OF_RANGE']],
    ['rejects a higher temperature', decided(warm(30.01)), [400, 'DEVICE_TEMPERATURE_OUT_OF_RANGE']],
    [
      'accepts any temperature without limits',
      decided(warm(99), { limits: { ...limits, minTemperature: null, maxTemperature: null } }),
      undefined,
    ],
    ['accepts a mode that the device offers', decided({ operation: 'setDeviceMode', mode: 'heat' }), undefined],
    [
      'rejects a mode that the device does not offer',
      decided({ operation: 'setDeviceMode', mode: 'cool' }),
      [400, 'DEVICE_MODE_NOT_OFFERED'],
    ],
  ])('%s', (_, verdict, expected) => {
    expect(verdict).toEqual(expected);
  });
});

describe('the state of a device after a report', () => {
  const now = new Date('2027-01-01T12:00:00.000Z');
  const state = { lockState: 'locked', temperature: 20 } as DeviceState;
  const known = deviceWith({ online: true, batteryLevel: 21, state, stateReportedAt: '2027-01-01T11:00:00.000Z' });
  const reported = (report: object, device = known): unknown[] | undefined => {
    const reportedAt = '2027-01-01T12:30:00+01:00';
    const noticed = afterReport(device, { providerDeviceId: 'a', reportedAt, ...report }, now);
    return noticed && [noticed.condition, noticed.happened.map(({ name }) => name)];
  };
  const same = { online: true, batteryLevel: 21, state, stateReportedAt: '2027-01-01T11:30:00.000Z' };

  it('remains if nothing is reported', () => {
    expect(reported({})).toEqual([same, []]);
    expect(reported({ state: { lockState: 'locked' }, batteryLevel: 21, online: true })).toEqual([same, []]);
  });

  it('changes only in wording', () => {
    expect(reported({ state: { temperature: 21 }, batteryLevel: 20 })).toEqual([
      { ...same, batteryLevel: 20, state: { lockState: 'locked', temperature: 21 } },
      ['device.battery_low', 'device.state_changed'],
    ]);
    expect(reported({ batteryLevel: 10 }, deviceWith({ ...known, batteryLevel: 20 }))?.[1]).toEqual([]);
    expect(reported({ batteryLevel: null })).toEqual([{ ...same, batteryLevel: null }, []]);
    expect(reported({ online: false })?.[1]).toEqual(['device.went_offline']);
    expect(reported({ online: true }, deviceWith({ ...known, online: false }))?.[1]).toEqual(['device.came_online']);
  });

  it('remains if the report breaks the contract', () => {
    expect(reported({ reportedAt: 'yesterday', online: false })).toBeUndefined();
    for (const batteryLevel of [101, -1, 0.5]) expect(reported({ batteryLevel, online: false })).toBeUndefined();
  });

  it('remains if something newer is known, unless that was dated in the future', () => {
    expect(reported({ reportedAt: '2027-01-01T10:59:59Z', online: false })).toBeUndefined();
    const ahead = deviceWith({ ...known, stateReportedAt: '2027-01-01T13:00:00.000Z' });
    expect(reported({ online: false }, ahead)?.[1]).toEqual(['device.went_offline']);
  });
});

describe('a response of an adapter', () => {
  it.each<[boolean, unknown]>([
    [true, { outcome: 'confirmed' }],
    [true, { outcome: 'accepted', providerRef: 'a' }],
    [true, { outcome: 'refused', retryable: false }],
    [true, { outcome: 'unreachable' }],
    [true, { outcome: 'unknown' }],
    [false, { outcome: 'refused' }],
    [false, { outcome: 'perhaps' }],
    [false, { outcome: 'accepted', providerRef: 7 }],
    [false, { ok: true }],
    [false, null],
    [false, undefined],
    [false, 'confirmed'],
  ])('matches the port: %s, %j', (isOfThePort, answer) => {
    expect(readCommandAnswer(answer) !== undefined).toBe(isOfThePort);
  });
});
