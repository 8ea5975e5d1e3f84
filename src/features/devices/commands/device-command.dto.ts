import { Decimal, Flag, Id, ObjectOf, OneOf, PageOfTimes, Text, Timestamp } from '#operations';
import { type DeviceMode, deviceModes, type DeviceOperation, deviceOperations, ThisDevice } from '../device.dto.js';

export const commandStatuses = ['queued', 'refused', 'sent', 'succeeded', 'failed', 'unknown'] as const;
export type CommandStatus = (typeof commandStatuses)[number];

/** Wider than the limits of any device, whose error differs from that of an impossible temperature. */
const degrees = { min: -273.15, max: 1_000 };

export class SetDeviceTemperature extends ThisDevice {
  @Decimal({ description: 'Target temperature in °C, within the limits of the device.', example: 21, ...degrees })
  temperature: number;
}

export class SetDeviceMode extends ThisDevice {
  @OneOf(deviceModes, {
    description: 'Heating or cooling mode; one of the modes in the limits of the device.',
    example: 'heat',
  })
  mode: DeviceMode;
}

export class ThisDeviceCommand {
  @Id('command', { description: 'Command id (command_…), from listDeviceCommands.' }) commandId: string;
}

export class ListDeviceCommands extends PageOfTimes(['createdAt']) {
  @Id('device', { description: 'Only commands to this device (device_…), from listDevices.', optional: true })
  deviceId?: string;
  @OneOf(commandStatuses, { description: 'Only commands with this status.', optional: true }) status?: CommandStatus;
}

/** The wanted setting of a device. */
export class CommandArgs {
  @Decimal({ description: 'Target temperature in °C.', optional: true, ...degrees }) temperature?: number;
  @OneOf(deviceModes, { description: 'Heating or cooling mode.', optional: true }) mode?: DeviceMode;
}

export class CommandError {
  @Text({ description: 'Error code in UPPER_SNAKE_CASE.', max: 100 }) code: string;
  @Flag({ description: 'Whether the same command may succeed later.' }) retryable: boolean;
  @Text({ description: 'What is wrong and what to do about it.', max: 1_000 }) message: string;
}

/** The stored error, with the status of its response. */
export type StoredError = CommandError & { status: number };

export class DeviceCommandView {
  @Id('command', { description: 'Command id (command_…).' }) id: string;
  @Id('device', { description: 'Device that the command was for (device_…).' }) deviceId: string;
  @Id('property', { description: 'Property of the device at that time (property_…).', nullable: true }) propertyId:
    | string
    | null;
  @OneOf(deviceOperations, { description: 'Operation of the command.' }) operation: DeviceOperation;
  @ObjectOf(() => CommandArgs, { description: 'Input of the command.' }) args: CommandArgs;
  @OneOf(commandStatuses, {
    description:
      'refused: rejected by this service, never sent. failed: rejected by the provider or not sent. unknown: may have taken effect.',
  })
  status: CommandStatus;
  @Id('member', { description: 'Member who sent the command (member_…).' }) requestedBy: string;
  @ObjectOf(() => CommandError, { description: 'Why the command did not succeed.', nullable: true })
  error: CommandError | null;
  @Timestamp({ description: 'When the command was created.' }) createdAt: string;
  @Timestamp({ description: 'When the command was sent to the provider.', nullable: true }) sentAt: string | null;
  @Timestamp({ description: 'When the final status was known.', nullable: true }) settledAt: string | null;
}
