import { event } from '../../../platform/events/event-type.js';
import { cannotBeUndone } from '../../../platform/events/undo.js';
import { DeviceCommandView } from './device-command.dto.js';

const notTakenBack = cannotBeUndone('A command cannot be undone. Send another one.');

const command = { subject: 'device_command', scope: 'devices:read' as const, data: DeviceCommandView };

export const commandRequested = event('device_command.requested', {
  ...command,
  kind: 'opening',
  description: 'A command to a device was created.',
  undo: notTakenBack,
});

/** By the status that a command ends with. */
export const commandSettled = {
  refused: event('device_command.refused', {
    ...command,
    kind: 'occurrence',
    description: 'A command was rejected before it was sent.',
    undo: notTakenBack,
  }),
  succeeded: event('device_command.succeeded', {
    ...command,
    description: 'A command took effect.',
    undo: notTakenBack,
  }),
  failed: event('device_command.failed', {
    ...command,
    description: 'A command had no effect: its provider refused it or was unreachable.',
    undo: notTakenBack,
  }),
  unknown: event('device_command.unknown', {
    ...command,
    description: 'The outcome of a command is unknown; it may have taken effect.',
    undo: notTakenBack,
  }),
};
