import { event } from '../../../platform/events/event-type.js';
import { DeviceCommandView } from '../../../devices/commands/device-command.dto.js';

const command = { subject: 'device_command', scope: 'devices:read' as const, data: DeviceCommandView };

export const commandRequested = event('device_command.requested', {
  ...command,
  tells: 'opening',
  says: 'Somebody told a device to do something.',
});

/** By the status that a command ends with. */
export const commandSettled = {
  refused: event('device_command.refused', {
    ...command,
    tells: 'occurrence',
    says: 'A command was refused before it was sent.',
  }),
  succeeded: event('device_command.succeeded', { ...command, says: 'A command took effect.' }),
  failed: event('device_command.failed', {
    ...command,
    says: 'A command had no effect: its provider refused it, or could not be reached.',
  }),
  unknown: event('device_command.unknown', {
    ...command,
    says: 'Nobody can tell whether a command took effect.',
  }),
};
