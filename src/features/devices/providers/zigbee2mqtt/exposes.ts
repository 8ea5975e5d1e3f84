import type { DeviceCapabilities, DeviceLimits, DeviceMode, DeviceState } from '../../device.dto.js';
import type { DeviceReport, FoundDevice } from '../device-answers.js';
import type { DeviceAction } from '../device-provider.js';

/** What zigbee2mqtt says that a device can tell or be told (zigbee2mqtt.io/guide/usage/exposes.html). */
interface Expose {
  type?: string;
  name?: string;
  property?: string;
  /** Bits: 1 it is told in states, 2 it can be set, 4 it can be asked for. */
  access?: number;
  features?: Expose[];
  values?: unknown[];
  value_on?: unknown;
  value_off?: unknown;
  value_min?: number;
  value_max?: number;
}

export interface BridgeDevice {
  ieee_address: string;
  friendly_name: string;
  type?: string;
  disabled?: boolean;
  definition?: { model?: string; vendor?: string; exposes?: Expose[] } | null;
}

type Feature = Expose & { property: string };

/** The properties of a device that are of use here. */
export interface Features {
  lock?: Feature;
  lockState?: Feature;
  setPoint?: Feature;
  mode?: Feature;
  temperature?: Feature;
  humidity?: Feature;
  contact?: Feature;
  battery?: Feature;
}

const modes: readonly DeviceMode[] = ['off', 'heat', 'cool', 'auto'];

export function featuresOf({ definition }: BridgeDevice): Features {
  const exposes = definition?.exposes ?? [];
  const within = (type: string): Expose[] => exposes.find((expose) => expose.type === type)?.features ?? [];
  const named = (among: Expose[], ...names: string[]): Feature | undefined =>
    among.find((one): one is Feature => names.includes(one.name ?? '') && typeof one.property === 'string');
  const [lock, climate] = [within('lock'), within('climate')];
  return {
    lock: named(lock, 'state'),
    lockState: named(lock, 'lock_state') ?? named(exposes, 'lock_state'),
    setPoint: named(climate, 'occupied_heating_setpoint', 'current_heating_setpoint', 'occupied_cooling_setpoint'),
    mode: named(climate, 'system_mode'),
    temperature: named(climate, 'local_temperature') ?? named(exposes, 'temperature'),
    humidity: named(exposes, 'humidity'),
    contact: named(exposes, 'contact'),
    battery: named(exposes, 'battery'),
  };
}

const canBeSet = (feature: Feature | undefined): boolean => ((feature?.access ?? 0) & 2) !== 0;

/** Undefined if it is not a lock, thermostat or sensor, but a lamp for example. */
export function foundDevice(device: BridgeDevice, report: DeviceReport): FoundDevice | undefined {
  const features = featuresOf(device);
  const type = features.lock ? 'lock' : features.setPoint ? 'thermostat' : 'sensor';
  if (type === 'sensor' && !features.temperature && !features.humidity && !features.contact) return undefined;
  return {
    providerDeviceId: device.ieee_address,
    name: device.friendly_name.slice(0, 200),
    type,
    manufacturer: device.definition?.vendor?.slice(0, 200) ?? null,
    model: device.definition?.model?.slice(0, 200) ?? null,
    capabilities: capabilitiesOf(features),
    limits: limitsOf(features),
    report,
  };
}

function capabilitiesOf({ lock, setPoint, mode }: Features): DeviceCapabilities {
  return {
    lockDevice: canBeSet(lock),
    unlockDevice: canBeSet(lock),
    setDeviceTemperature: canBeSet(setPoint),
    setDeviceMode: canBeSet(mode),
    accessCodes: false,
  };
}

const limitsOf = ({ setPoint, mode }: Features): DeviceLimits => ({
  minTemperature: setPoint?.value_min ?? null,
  maxTemperature: setPoint?.value_max ?? null,
  modes: canBeSet(mode) ? modes.filter((name) => mode?.values?.includes(name)) : [],
  codeSlots: null,
  minCodeLength: null,
  maxCodeLength: null,
});

/** The setting as zigbee2mqtt expects it; undefined if the device does not support it. */
export function payloadOf({ lock, setPoint, mode }: Features, action: DeviceAction): object | undefined {
  switch (action.operation) {
    case 'lockDevice':
      return lock && { [lock.property]: lock.value_on ?? 'LOCK' };
    case 'unlockDevice':
      return lock && { [lock.property]: lock.value_off ?? 'UNLOCK' };
    case 'setDeviceTemperature':
      return setPoint && { [setPoint.property]: action.temperature };
    case 'setDeviceMode':
      return mode && { [mode.property]: action.mode };
  }
}

/** The query that makes the device report its state; undefined for a device that cannot be queried. */
export function questionOf({ lock, setPoint, mode }: Features): object | undefined {
  const asked = [lock, setPoint, mode].filter((feature) => ((feature?.access ?? 0) & 4) !== 0) as Feature[];
  return asked.length > 0 ? Object.fromEntries(asked.map(({ property }) => [property, ''])) : undefined;
}

/** What a device said in a state message; what is left out, or makes no sense, is left out. */
export function readingsIn(
  features: Features,
  payload: Record<string, unknown>,
): Pick<DeviceReport, 'state' | 'batteryLevel'> {
  const of = (feature: Feature | undefined): unknown => feature && payload[feature.property];
  const number = (feature: Feature | undefined): number | undefined =>
    Number.isFinite(of(feature)) ? Number(of(feature)) : undefined;
  const [temperature, targetTemperature, humidity] = [features.temperature, features.setPoint, features.humidity].map(
    number,
  );
  const [mode, contact, battery] = [of(features.mode), of(features.contact), number(features.battery)];
  const lockState = lockStateOf(of(features.lockState), of(features.lock), features.lock);
  const state: Partial<DeviceState> = {
    ...(lockState !== undefined && { lockState }),
    ...(temperature !== undefined && { temperature }),
    ...(targetTemperature !== undefined && { targetTemperature }),
    ...(humidity !== undefined && { humidity: within(humidity) }),
    ...(modes.includes(mode as DeviceMode) && { mode: mode as DeviceMode }),
    ...(typeof contact === 'boolean' && { isOpen: !contact }),
  };
  return { state, ...(battery !== undefined && { batteryLevel: Math.round(within(battery)) }) };
}

/** The reported position of the bolt counts more than the commanded one; a bolt that is halfway is neither. */
function lockStateOf(
  bolt: unknown,
  commanded: unknown,
  lock: Feature | undefined,
): DeviceState['lockState'] | undefined {
  if (bolt === 'locked' || bolt === 'unlocked') return bolt;
  if (bolt === 'not_fully_locked') return null;
  if (commanded === undefined) return undefined;
  return commanded === (lock?.value_on ?? 'LOCK')
    ? 'locked'
    : commanded === (lock?.value_off ?? 'UNLOCK')
      ? 'unlocked'
      : undefined;
}

const within = (percent: number): number => Math.min(Math.max(percent, 0), 100);
