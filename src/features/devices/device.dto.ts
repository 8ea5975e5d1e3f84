import {
  Decimal,
  Flag,
  Id,
  Int,
  ListOf,
  ListOfObjects,
  ObjectOf,
  OneOf,
  PageOf,
  PickType,
  SearchText,
  Text,
  Timestamp,
} from '#operations';
import {
  ExternalRef,
  ExternalRefChange,
  longestName,
  mostReferences,
} from '../../tenancy/references/external-ref.dto.js';

export const deviceTypes = ['lock', 'thermostat', 'sensor'] as const;
export type DeviceType = (typeof deviceTypes)[number];

/** The commands of a device; the names of the specification's operations. */
export const deviceOperations = ['lockDevice', 'unlockDevice', 'setDeviceTemperature', 'setDeviceMode'] as const;
export type DeviceOperation = (typeof deviceOperations)[number];

export const lockStates = ['locked', 'unlocked'] as const;
export type LockState = (typeof lockStates)[number];

export const deviceModes = ['off', 'heat', 'cool', 'auto', 'eco'] as const;
export type DeviceMode = (typeof deviceModes)[number];

const degrees = { min: -273.15, max: 1_000 };
const few = { min: 0, max: 10_000 };

/** The last reported state of a device; null for values that it does not report. */
export class DeviceState {
  @OneOf(lockStates, { description: 'Whether the lock is locked.', nullable: true }) lockState: LockState | null;
  @Decimal({ description: 'Measured temperature in °C.', nullable: true, ...degrees }) temperature: number | null;
  @Decimal({ description: 'Target temperature in °C.', nullable: true, ...degrees }) targetTemperature: number | null;
  @OneOf(deviceModes, { description: 'Heating or cooling mode.', nullable: true }) mode: DeviceMode | null;
  @Decimal({ description: 'Measured relative humidity in percent.', nullable: true, min: 0, max: 100 })
  humidity: number | null;
  @Flag({ description: 'Whether the door or window is open.', nullable: true }) isOpen: boolean | null;
}

/** For a device that has reported nothing yet. */
export const unknownState: DeviceState = {
  lockState: null,
  temperature: null,
  targetTemperature: null,
  mode: null,
  humidity: null,
  isOpen: null,
};

/** The capabilities of a device. */
export class DeviceCapabilities {
  @Flag({ description: 'Whether lockDevice is supported.' }) lockDevice: boolean;
  @Flag({ description: 'Whether unlockDevice is supported.' }) unlockDevice: boolean;
  @Flag({ description: 'Whether setDeviceTemperature is supported.' }) setDeviceTemperature: boolean;
  @Flag({ description: 'Whether setDeviceMode is supported.' }) setDeviceMode: boolean;
  @Flag({ description: 'Whether access codes are supported.' }) accessCodes: boolean;
}

/** The limits of its capabilities; null if there is no such limit or nothing to limit. */
export class DeviceLimits {
  @Decimal({ description: 'Lowest target temperature in °C.', nullable: true, ...degrees })
  minTemperature: number | null;
  @Decimal({ description: 'Highest target temperature in °C.', nullable: true, ...degrees })
  maxTemperature: number | null;
  @ListOf({ oneOf: deviceModes }, { description: 'Supported modes.', max: deviceModes.length })
  modes: DeviceMode[];
  @Int({ description: 'Maximum number of access codes.', nullable: true, ...few }) codeSlots: number | null;
  @Int({ description: 'Minimum number of digits of an access code.', nullable: true, ...few }) minCodeLength:
    | number
    | null;
  @Int({ description: 'Maximum number of digits of an access code.', nullable: true, ...few }) maxCodeLength:
    | number
    | null;
}

export class ThisDevice {
  @Id('device', { description: 'Device id (device_…), from listDevices.' }) deviceId: string;
}

export class UpdateDevice extends ThisDevice {
  @Text({ description: 'Name of the device.', max: 200, optional: true, example: 'Front door' })
  name?: string;

  @Id('property', {
    description: 'Property of the device (property_…), from listProperties.',
    optional: true,
    nullable: true,
  })
  propertyId?: string | null;

  @Id('unit', { description: 'Unit of that property (unit_…), from listUnits.', optional: true, nullable: true })
  unitId?: string | null;

  @Flag({ description: 'Whether commands are allowed; access codes are always set.', optional: true })
  remoteControlEnabled?: boolean;

  @ListOfObjects(() => ExternalRefChange, { description: 'Ids in other systems.', optional: true, max: mostReferences })
  externalRefs?: ExternalRefChange[];
}

export class ListDevices extends PageOf(['createdAt', 'updatedAt', 'name']) {
  @SearchText({ description: 'Only devices whose name contains this text.', min: 3, optional: true }) q?: string;
  @OneOf(deviceTypes, { description: 'Only this type.', optional: true }) type?: DeviceType;
  @Id('property', { description: 'Only devices at this property (property_…), from listProperties.', optional: true })
  propertyId?: string;
  @Id('unit', { description: 'Only devices in this unit (unit_…), from listUnits.', optional: true }) unitId?: string;
  @Id('connection', {
    description: 'Only devices of this connection (connection_…), from listConnections.',
    optional: true,
  })
  connectionId?: string;
  @Text({ description: 'Your id at connectionId.', max: longestName, optional: true }) externalId?: string;
  @Flag({ description: 'true: only online; false: only offline.', optional: true }) online?: boolean;
  @Timestamp({ description: 'Only devices changed since this time, including archived ones.', optional: true })
  updatedSince?: string;
  @Flag({
    description: 'true: only archived devices; default: only others.',
    optional: true,
  })
  archived?: boolean;
}

export class CountDevices extends PickType(ListDevices, ['type', 'propertyId', 'unitId', 'connectionId']) {}

const mostCounted = 1_001;

/** Devices by whether they can be reached; a number of 1,001 means more than a thousand. */
export class DeviceCountsView {
  @Int({ description: 'Devices that their provider can reach.', min: 0, max: mostCounted }) online: number;
  @Int({ description: 'Devices that it cannot reach.', min: 0, max: mostCounted }) offline: number;
}

export class ListDeviceReadings extends PageOf(['createdAt']) {
  @Id('device', { description: 'Device id (device_…), from listDevices.' }) deviceId: string;
  @Timestamp({ description: 'Only readings at or after this time.', optional: true }) from?: string;
  @Timestamp({ description: 'Only readings before this time.', optional: true }) before?: string;
}

/** What a device and its provider report about it at one time. */
class DeviceCondition {
  @Flag({ description: 'Whether the provider can reach the device.' }) online: boolean;
  @Int({ description: 'Battery level in percent.', nullable: true, min: 0, max: 100 })
  batteryLevel: number | null;
  @ObjectOf(() => DeviceState, { description: 'Last reported state.' }) state: DeviceState;
}

export class DeviceView extends DeviceCondition {
  @Id('device', { description: 'Device id (device_…).' }) id: string;
  @Text({ description: 'Name of the device.', max: 200 }) name: string;
  @OneOf(deviceTypes, { description: 'Type of the device.' }) type: DeviceType;
  @Id('property', { description: 'Property of the device (property_…).', nullable: true }) propertyId: string | null;
  @Id('unit', { description: 'Unit of that property (unit_…).', nullable: true }) unitId: string | null;
  @Id('connection', { description: 'Connection that the device belongs to (connection_…).' }) connectionId: string;
  @Text({ description: 'Id of the device at its provider.', max: 200 }) providerDeviceId: string;
  @Text({ description: 'Manufacturer.', max: 200, nullable: true }) manufacturer: string | null;
  @Text({ description: 'Model name.', max: 200, nullable: true }) model: string | null;
  @Timestamp({ description: 'When the state was reported.', nullable: true }) stateReportedAt: string | null;
  @ObjectOf(() => DeviceCapabilities, { description: 'Supported operations.' }) capabilities: DeviceCapabilities;
  @ObjectOf(() => DeviceLimits, { description: 'Ranges and modes that the device supports.' }) limits: DeviceLimits;
  @Flag({ description: 'Whether commands are allowed; access codes are always set.' })
  remoteControlEnabled: boolean;
  @ListOfObjects(() => ExternalRef, {
    description: 'Ids of the device in other systems, for credentials that may read connections.',
    max: mostReferences,
  })
  externalRefs: ExternalRef[];
  @Timestamp({ description: 'When the device was archived.', nullable: true }) archivedAt: string | null;
  @Int({ description: 'Version, increased by every change; send it as If-Match.', min: 1, max: 2_147_483_647 })
  version: number;
  @Timestamp({ description: 'When the device was discovered.' }) createdAt: string;
  @Timestamp({ description: 'When the device was last changed.' }) updatedAt: string;
}

export class DeviceReadingView extends DeviceCondition {
  @Id('reading', { description: 'Reading id (reading_…).' }) id: string;
  @Id('device', { description: 'Device id (device_…).' }) deviceId: string;
  @Timestamp({ description: 'When the device reported it.' }) reportedAt: string;
}
