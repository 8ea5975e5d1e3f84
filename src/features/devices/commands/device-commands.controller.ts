import { Controller } from '@nestjs/common';
import type { Caller } from '#access';
import { Handles } from '#operations';
import type { ThisDevice } from '../../../devices/device.dto.js';
import type {
  ListDeviceCommands,
  SetDeviceMode,
  SetDeviceTemperature,
  ThisDeviceCommand,
} from '../../../devices/commands/device-command.dto.js';
import {
  getDeviceCommand,
  listDeviceCommands,
  lockDevice,
  setDeviceMode,
  setDeviceTemperature,
  unlockDevice,
} from './device-commands.operations.js';
import { DeviceCommandsService } from './device-commands.service.js';

@Controller()
export class DeviceCommandsController {
  constructor(private readonly commands: DeviceCommandsService) {}

  @Handles(lockDevice) lock({ deviceId }: ThisDevice, caller: Caller) {
    return this.commands.request(caller, deviceId, { operation: 'lockDevice' });
  }

  @Handles(unlockDevice) unlock({ deviceId }: ThisDevice, caller: Caller) {
    return this.commands.request(caller, deviceId, { operation: 'unlockDevice' });
  }

  @Handles(setDeviceTemperature) setTemperature({ deviceId, temperature }: SetDeviceTemperature, caller: Caller) {
    return this.commands.request(caller, deviceId, { operation: 'setDeviceTemperature', temperature });
  }

  @Handles(setDeviceMode) setMode({ deviceId, mode }: SetDeviceMode, caller: Caller) {
    return this.commands.request(caller, deviceId, { operation: 'setDeviceMode', mode });
  }

  @Handles(getDeviceCommand) get(input: ThisDeviceCommand, caller: Caller) {
    return this.commands.get(caller, input);
  }

  @Handles(listDeviceCommands) list(input: ListDeviceCommands, caller: Caller) {
    return this.commands.list(caller, input);
  }
}
