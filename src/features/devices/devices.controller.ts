import { Controller } from '@nestjs/common';
import type { Caller } from '#access';
import { Handles } from '#operations';
import type { CountDevices, ListDeviceReadings, ListDevices, ThisDevice, UpdateDevice } from './device.dto.js';
import {
  archiveDevice,
  countDevices,
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

  @Handles(listDevices) list(caller: Caller, input: ListDevices) {
    return this.devices.list(caller, input);
  }

  // Before getDevice, whose route would take `counts` for an id.
  @Handles(countDevices) count(caller: Caller, input: CountDevices) {
    return this.devices.count(caller, input);
  }

  @Handles(getDevice) get(caller: Caller, input: ThisDevice) {
    return this.devices.get(caller, input);
  }

  @Handles(updateDevice) update(caller: Caller, input: UpdateDevice) {
    return this.devices.update(caller, input);
  }

  @Handles(archiveDevice) archive(caller: Caller, input: ThisDevice) {
    return this.devices.archive(caller, input);
  }

  @Handles(restoreDevice) restore(caller: Caller, input: ThisDevice) {
    return this.devices.restore(caller, input);
  }

  @Handles(listDeviceReadings) listReadings(caller: Caller, input: ListDeviceReadings) {
    return this.devices.listReadings(caller, input);
  }
}
