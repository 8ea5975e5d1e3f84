import type { DeviceCapabilities, DeviceLimits, DeviceMode, DeviceState } from '../../device.dto.js';
import type { DeviceReport, FoundDevice } from '../device-answers.js';

/** The fields of Seam's devices that are read. None of them is assumed to be present. */
export type SeamDevice = { device_id: string; properties: Record<string, unknown> } & Record<string, unknown>;

export interface Climate {
  mode: DeviceMode | null;
  heating: number | undefined;
  cooling: number | undefined;
}

const modes: Record<string, DeviceMode> = { off: 'off', heat: 'heat', cool: 'cool', heat_cool: 'auto', eco: 'eco' };
const nothing: DeviceLimits = {
  minTemperature: null,
  maxTemperature: null,
  modes: [],
  codeSlots: null,
  minCodeLength: null,
  maxCodeLength: null,
};

export function foundDevice(device: SeamDevice): FoundDevice {
  const { properties } = device;
  const model = objectIn(properties, 'model');
  const isThermostat = 'current_climate_setting' in properties;
  const isLock = !isThermostat && ('locked' in properties || device.can_remotely_lock !== undefined);
  return {
    providerDeviceId: device.device_id,
    name: textIn(device, 'display_name') ?? textIn(properties, 'name') ?? device.device_id,
    type: isThermostat ? 'thermostat' : isLock ? 'lock' : 'sensor',
    manufacturer: textIn(model, 'manufacturer_display_name') ?? textIn(properties, 'manufacturer') ?? null,
    model: textIn(model, 'display_name') ?? null,
    capabilities: capabilitiesOf(device, isThermostat),
    limits: isThermostat ? thermostatLimits(device) : isLock ? lockLimits(properties) : nothing,
    report: reportOf(device),
  };
}

/** Seam does not state the age of its data; it is what Seam currently considers true. */
export function reportOf({ device_id, properties }: SeamDevice): DeviceReport {
  const level = numberIn(objectIn(properties, 'battery'), 'level') ?? numberIn(properties, 'battery_level');
  return {
    providerDeviceId: device_id,
    reportedAt: new Date().toISOString(),
    online: properties.online !== false,
    batteryLevel: level === undefined ? null : percent(level),
    state: stateOf(properties),
  };
}

export function climateOf(properties: Record<string, unknown>): Climate {
  const setting = objectIn(properties, 'current_climate_setting');
  return {
    mode: modes[textIn(setting, 'hvac_mode_setting') ?? ''] ?? null,
    heating: numberIn(setting, 'heating_set_point_celsius'),
    cooling: numberIn(setting, 'cooling_set_point_celsius'),
  };
}

/** Between the two set points where it heats and cools. */
export function targetOf({ mode, heating, cooling }: Climate): number | null {
  if (mode === 'heat') return heating ?? null;
  if (mode === 'cool') return cooling ?? null;
  return mode === 'auto' && heating !== undefined && cooling !== undefined ? (heating + cooling) / 2 : null;
}

/** How far apart the two set points are where it heats and cools, in °C. */
export const apart = (properties: Record<string, unknown>): number =>
  numberIn(properties, 'min_heating_cooling_delta_celsius') ?? 0;

function stateOf(properties: Record<string, unknown>): Partial<DeviceState> {
  const { locked, door_open: open } = properties;
  const humidity = numberIn(properties, 'relative_humidity');
  return {
    ...(typeof locked === 'boolean' && { lockState: locked ? ('locked' as const) : ('unlocked' as const) }),
    ...(typeof open === 'boolean' && { isOpen: open }),
    ...(humidity !== undefined && { humidity: percent(humidity) }),
    ...('temperature_celsius' in properties && { temperature: numberIn(properties, 'temperature_celsius') ?? null }),
    ...('current_climate_setting' in properties && climateState(climateOf(properties))),
  };
}

export const climateState = (climate: Climate): Partial<DeviceState> => ({
  mode: climate.mode,
  targetTemperature: targetOf(climate),
});

function capabilitiesOf(device: SeamDevice, isThermostat: boolean): DeviceCapabilities {
  return {
    lockDevice: device.can_remotely_lock === true,
    unlockDevice: device.can_remotely_unlock === true,
    setDeviceTemperature: isThermostat,
    setDeviceMode: isThermostat,
    accessCodes: device.can_program_online_access_codes === true,
  };
}

function thermostatLimits(device: SeamDevice): DeviceLimits {
  const { properties } = device;
  const points = (...names: string[]): number[] =>
    names.map((name) => numberIn(properties, name)).filter((value) => value !== undefined);
  const lowest = points('min_heating_set_point_celsius', 'min_cooling_set_point_celsius');
  const highest = points('max_heating_set_point_celsius', 'max_cooling_set_point_celsius');
  return {
    ...nothing,
    minTemperature: lowest.length > 0 ? Math.min(...lowest) : null,
    maxTemperature: highest.length > 0 ? Math.max(...highest) : null,
    modes: modesOf(device),
  };
}

/** As Seam lists them; from what the thermostat can do where it does not. */
function modesOf(device: SeamDevice): DeviceMode[] {
  const { available_hvac_mode_settings: listed, is_heating_available, is_cooling_available } = device.properties;
  if (Array.isArray(listed)) return listed.map((mode) => modes[String(mode)]).filter((mode) => mode !== undefined);
  const heats = (device.can_hvac_heat ?? is_heating_available) === true;
  const cools = (device.can_hvac_cool ?? is_cooling_available) === true;
  return [
    ...(device.can_turn_off_hvac === false ? [] : (['off'] as const)),
    ...(heats ? (['heat'] as const) : []),
    ...(cools ? (['cool'] as const) : []),
    ...((device.can_hvac_heat_cool ?? (heats && cools)) ? (['auto'] as const) : []),
  ];
}

function lockLimits(properties: Record<string, unknown>): DeviceLimits {
  const { supported_code_lengths: lengths, max_active_codes_supported: slots } = properties;
  const counts = Array.isArray(lengths) ? lengths.filter(Number.isInteger).map(Number) : [];
  return {
    ...nothing,
    codeSlots: Number.isInteger(slots) ? Number(slots) : null,
    ...(counts.length > 0 && { minCodeLength: Math.min(...counts), maxCodeLength: Math.max(...counts) }),
  };
}

const percent = (share: number): number => Math.min(Math.max(Math.round(share * 100), 0), 100);

const objectIn = (from: Record<string, unknown>, name: string): Record<string, unknown> => {
  const value = from[name];
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
};

export const numberIn = (from: Record<string, unknown>, name: string): number | undefined =>
  Number.isFinite(from[name]) ? Number(from[name]) : undefined;

const textIn = (from: Record<string, unknown>, name: string): string | undefined => {
  const value = from[name];
  return typeof value === 'string' && value !== '' ? value.slice(0, 200) : undefined;
};
