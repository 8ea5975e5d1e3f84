import { Decimal, Flag, Id, Int, ListOf, ObjectOf, OneOf, Text, Timestamp } from '#operations';
import { PageOf } from '../../libs/operations/paging.js';

export const deviceTypes = ['lock', 'thermostat', 'sensor'] as const;
export type DeviceType = (typeof deviceTypes)[number];

/** What a device can be told to do; the names of the specification's operations. */
export const deviceOperations = ['lockDevice', 'unlockDevice', 'setDeviceTemperature', 'setDeviceMode'] as const;
export type DeviceOperation = (typeof deviceOperations)[number];

export const lockStates = ['locked', 'unlocked'] as const;
export type LockState = (typeof lockStates)[number];

export const deviceModes = ['off', 'heat', 'cool', 'auto', 'eco'] as const;
export type DeviceMode = (typeof deviceModes)[number];

const degrees = { min: -273.15, max: 1_000 };
const few = { min: 0, max: 10_000 };

/** What a device last said of itself; null where it does not tell. */
export class DeviceState {
  @OneOf(lockStates, { about: 'Whether it is locked.', nullable: true }) lockState: LockState | null;
  @Decimal({ about: 'The temperature that it measures, in °C.', nullable: true, ...degrees }) temperature:
    | number
    | null;
  @Decimal({ about: 'The temperature that it is set to, in °C.', nullable: true, ...degrees }) targetTemperature:
    | number
    | null;
  @OneOf(deviceModes, { about: 'How it heats or cools.', nullable: true }) mode: DeviceMode | null;
  @Decimal({ about: 'The relative humidity that it measures, in percent.', nullable: true, min: 0, max: 100 })
  humidity: number | null;
  @Flag({ about: 'Whether the door or window is open.', nullable: true }) isOpen: boolean | null;
}

/** Of a device that has told nothing yet. */
export const unknownState: DeviceState = {
  lockState: null,
  temperature: null,
  targetTemperature: null,
  mode: null,
  humidity: null,
  isOpen: null,
};

/** What a device offers. */
export class DeviceCapabilities {
  @Flag({ about: 'Whether it can be locked.' }) lockDevice: boolean;
  @Flag({ about: 'Whether it can be unlocked.' }) unlockDevice: boolean;
  @Flag({ about: 'Whether its temperature can be set.' }) setDeviceTemperature: boolean;
  @Flag({ about: 'Whether its mode can be set.' }) setDeviceMode: boolean;
  @Flag({ about: 'Whether it keeps access codes.' }) accessCodes: boolean;
}

/** Within what it offers it; null where there is no such limit or nothing to limit. */
export class DeviceLimits {
  @Decimal({ about: 'The lowest temperature it can be set to, in °C.', nullable: true, ...degrees })
  minTemperature: number | null;
  @Decimal({ about: 'The highest temperature it can be set to, in °C.', nullable: true, ...degrees })
  maxTemperature: number | null;
  @ListOf({ oneOf: deviceModes }, { about: 'The modes it can be set to.', max: deviceModes.length })
  modes: DeviceMode[];
  @Int({ about: 'How many access codes it keeps.', nullable: true, ...few }) codeSlots: number | null;
  @Int({ about: 'The fewest digits of a code.', nullable: true, ...few }) minCodeLength: number | null;
  @Int({ about: 'The most digits of a code.', nullable: true, ...few }) maxCodeLength: number | null;
}

export class ThisDevice {
  @Id('device', { about: 'The device.' }) deviceId: string;
}

export class UpdateDevice extends ThisDevice {
  @Text({ about: 'What the device is called.', max: 200, optional: true, example: 'Front door' })
  name?: string;

  @Id('property', { about: 'Where it is.', optional: true, nullable: true })
  propertyId?: string | null;

  @Id('unit', { about: 'In which unit of the property.', optional: true, nullable: true })
  unitId?: string | null;

  @Flag({ about: 'Whether it may be commanded from here; access codes are set all the same.', optional: true })
  remoteControlEnabled?: boolean;
}

export class ListDevices extends PageOf(['createdAt', 'updatedAt', 'name']) {
  @OneOf(deviceTypes, { about: 'Only devices of this type.', optional: true }) type?: DeviceType;
  @Id('property', { about: 'Only devices at this property.', optional: true }) propertyId?: string;
  @Id('unit', { about: 'Only devices in this unit.', optional: true }) unitId?: string;
  @Id('connection', { about: 'Only devices that this connection brought.', optional: true }) connectionId?: string;
  @Flag({ about: 'Only those that are online, or only those that are not.', optional: true }) online?: boolean;
  @Timestamp({ about: 'Only those that changed at this time or later, archived ones included.', optional: true })
  updatedSince?: string;
  @Flag({ about: 'Only archived ones; only others when left out.', optional: true }) archived?: boolean;
}

export class ListDeviceReadings extends PageOf(['createdAt']) {
  @Id('device', { about: 'The device.' }) deviceId: string;
  @Timestamp({ about: 'Only readings from this time on.', optional: true }) from?: string;
  @Timestamp({ about: 'Only readings before this time.', optional: true }) before?: string;
}

/** What a device and its provider tell of it at one moment. */
class DeviceCondition {
  @Flag({ about: 'Whether its provider reaches it.' }) online: boolean;
  @Int({ about: 'What is left of the battery, in percent.', nullable: true, min: 0, max: 100 })
  batteryLevel: number | null;
  @ObjectOf(() => DeviceState, { about: 'What it last said of itself.' }) state: DeviceState;
}

export class DeviceView extends DeviceCondition {
  @Id('device', { about: 'The device.' }) id: string;
  @Text({ about: 'What the device is called.', max: 200 }) name: string;
  @OneOf(deviceTypes, { about: 'What it is.' }) type: DeviceType;
  @Id('property', { about: 'Where it is.', nullable: true }) propertyId: string | null;
  @Id('unit', { about: 'In which unit of the property.', nullable: true }) unitId: string | null;
  @Id('connection', { about: 'The connection that brought it.' }) connectionId: string;
  @Text({ about: 'What its provider calls it.', max: 200 }) providerDeviceId: string;
  @Text({ about: 'Who made it.', max: 200, nullable: true }) manufacturer: string | null;
  @Text({ about: 'Which model it is.', max: 200, nullable: true }) model: string | null;
  @Timestamp({ about: 'When it said so; how old its state is.', nullable: true }) stateReportedAt: string | null;
  @ObjectOf(() => DeviceCapabilities, { about: 'What it offers.' }) capabilities: DeviceCapabilities;
  @ObjectOf(() => DeviceLimits, { about: 'Within what it offers it.' }) limits: DeviceLimits;
  @Flag({ about: 'Whether it may be commanded from here; access codes are set all the same.' })
  remoteControlEnabled: boolean;
  @Timestamp({ about: 'When it was archived.', nullable: true }) archivedAt: string | null;
  @Int({ about: 'Rises with every change; send it as If-Match.', min: 1, max: 2_147_483_647 }) version: number;
  @Timestamp({ about: 'When it was discovered.' }) createdAt: string;
  @Timestamp({ about: 'When it last changed.' }) updatedAt: string;
}

export class DeviceReadingView extends DeviceCondition {
  @Id('reading', { about: 'The reading.' }) id: string;
  @Id('device', { about: 'The device.' }) deviceId: string;
  @Timestamp({ about: 'When the device said so.' }) reportedAt: string;
}
