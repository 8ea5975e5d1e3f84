import { Controller } from '@nestjs/common';
import type { Caller } from '#access';
import { Handles } from '#operations';
import type { ThisDevice } from '../device.dto.js';
import type {
  ListDeviceCommands,
  SetDeviceMode,
  SetDeviceTemperature,
  ThisDeviceCommand,
} from './device-command.dto.js';
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

  @Handles(lockDevice) lock(caller: Caller, { deviceId }: ThisDevice) {
    return this.commands.request(caller, deviceId, { operation: 'lockDevice' });
  }

  @Handles(unlockDevice) unlock(caller: Caller, { deviceId }: ThisDevice) {
    return this.commands.request(caller, deviceId, { operation: 'unlockDevice' });
  }

  @Handles(setDeviceTemperature) setTemperature(caller: Caller, { deviceId, temperature }: SetDeviceTemperature) {
    return this.commands.request(caller, deviceId, { operation: 'setDeviceTemperature', temperature });
  }

  @Handles(setDeviceMode) setMode(caller: Caller, { deviceId, mode }: SetDeviceMode) {
    return this.commands.request(caller, deviceId, { operation: 'setDeviceMode', mode });
  }

  @Handles(getDeviceCommand) get(caller: Caller, input: ThisDeviceCommand) {
    return this.commands.get(caller, input);
  }

  @Handles(listDeviceCommands) list(caller: Caller, input: ListDeviceCommands) {
    return this.commands.list(caller, input);
  }
}
