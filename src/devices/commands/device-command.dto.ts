import { Decimal, Flag, Id, ObjectOf, OneOf, Text, Timestamp } from '#operations';
import { PageOf } from '../../../libs/operations/paging.js';
import { type DeviceMode, deviceModes, type DeviceOperation, deviceOperations, ThisDevice } from '../device.dto.js';

export const commandStatuses = ['queued', 'refused', 'sent', 'succeeded', 'failed', 'unknown'] as const;
export type CommandStatus = (typeof commandStatuses)[number];

/** Wider than any device's own limits, which are told apart from what is no temperature at all. */
const degrees = { min: -273.15, max: 1_000 };

export class SetDeviceTemperature extends ThisDevice {
  @Decimal({ about: 'What to set it to, in °C; within the limits of the device.', example: 21, ...degrees })
  temperature: number;
}

export class SetDeviceMode extends ThisDevice {
  @OneOf(deviceModes, { about: 'How it is to heat or cool; one of the modes in its limits.', example: 'heat' })
  mode: DeviceMode;
}

export class ThisDeviceCommand {
  @Id('command', { about: 'The command.' }) commandId: string;
}

export class ListDeviceCommands extends PageOf(['createdAt']) {
  @Id('device', { about: 'Only commands to this device.', optional: true }) deviceId?: string;
  @OneOf(commandStatuses, { about: 'Only commands of this status.', optional: true }) status?: CommandStatus;
}

/** What a device is to be set to. */
export class CommandArgs {
  @Decimal({ about: 'What to set it to, in °C.', optional: true, ...degrees }) temperature?: number;
  @OneOf(deviceModes, { about: 'How it is to heat or cool.', optional: true }) mode?: DeviceMode;
}

export class CommandError {
  @Text({ about: 'What exactly, in UPPER_SNAKE_CASE.', max: 100 }) code: string;
  @Flag({ about: 'Whether the same command may work later.' }) retryable: boolean;
  @Text({ about: 'A sentence about it.', max: 1_000 }) message: string;
}

/** As it is kept: with the status that it is answered with. */
export type StoredError = CommandError & { status: number };

export class DeviceCommandView {
  @Id('command', { about: 'The command.' }) id: string;
  @Id('device', { about: 'The device that was told.' }) deviceId: string;
  @Id('property', { about: 'Where the device was.', nullable: true }) propertyId: string | null;
  @OneOf(deviceOperations, { about: 'What it was told.' }) operation: DeviceOperation;
  @ObjectOf(() => CommandArgs, { about: 'What it was to be set to.' }) args: CommandArgs;
  @OneOf(commandStatuses, {
    about:
      'refused: by this service, and never sent; failed: by the provider, or nothing was sent; unknown: it may have taken effect.',
  })
  status: CommandStatus;
  @Id('member', { about: 'Who asked for it.' }) requestedBy: string;
  @ObjectOf(() => CommandError, { about: 'Why it did not succeed.', nullable: true }) error: CommandError | null;
  @Timestamp({ about: 'When it was asked for.' }) createdAt: string;
  @Timestamp({ about: 'When it was sent to the provider.', nullable: true }) sentAt: string | null;
  @Timestamp({ about: 'When its outcome was known, or known to stay unknown.', nullable: true }) settledAt:
    | string
    | null;
}
