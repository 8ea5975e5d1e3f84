import { Controller } from '@nestjs/common';
import type { Caller } from '#access';
import { Handles } from '#operations';
import type { ListDeviceReadings, ListDevices, ThisDevice, UpdateDevice } from '../../devices/device.dto.js';
import {
  archiveDevice,
  getDevice,
  listDeviceReadings,
  listDevices,
  restoreDevice,
  updateDevice,
} from './devices.operations.js';
import { DevicesService } from './devices.service.js';

@Controller()
export class DevicesController {
  constructor(private readonly devices: DevicesService) {}

  @Handles(listDevices) list(input: ListDevices, caller: Caller) {
    return this.devices.list(caller, input);
  }

  @Handles(getDevice) get(input: ThisDevice, caller: Caller) {
    return this.devices.get(caller, input);
  }

  @Handles(updateDevice) update(input: UpdateDevice, caller: Caller) {
    return this.devices.update(caller, input);
  }

  @Handles(archiveDevice) archive(input: ThisDevice, caller: Caller) {
    return this.devices.archive(caller, input);
  }

  @Handles(restoreDevice) restore(input: ThisDevice, caller: Caller) {
    return this.devices.restore(caller, input);
  }

  @Handles(listDeviceReadings) listReadings(input: ListDeviceReadings, caller: Caller) {
    return this.devices.listReadings(caller, input);
  }
}
