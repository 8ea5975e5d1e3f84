import { Module } from '@nestjs/common';
import { ConnectionsModule } from '../connections/connections.module.js';
import { EventsModule } from '../events/events.module.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { CommandRunner } from './commands/command-runner.service.js';
import { CommandSteps } from './commands/command-steps.service.js';
import { DeviceCommandsController } from './commands/device-commands.controller.js';
import { DeviceCommandsRepository } from './commands/device-commands.repository.js';
import { DeviceCommandsService } from './commands/device-commands.service.js';
import { ProviderCalls } from './commands/provider-calls.js';
import { DeviceReadiness } from './device-readiness.js';
import { DeviceReports } from './device-reports.service.js';
import { DevicesController } from './devices.controller.js';
import { DevicesRepository } from './devices.repository.js';
import { DevicesService } from './devices.service.js';
import { DiscoveryService } from './discovery.service.js';
import { DeviceLinesRepository } from './lines/device-lines.repository.js';
import { DeviceLines } from './lines/device-lines.service.js';
import { PostedMessagesController } from './lines/posted-messages.controller.js';
import { DeviceProviders } from './providers/device-providers.js';
import { SeamProvider } from './providers/seam/seam.provider.js';
import { SimulatedDevicesRepository } from './providers/simulator/simulated-devices.repository.js';
import { DeviceSimulator } from './providers/simulator/simulator.provider.js';
import { Zigbee2MqttProvider } from './providers/zigbee2mqtt/zigbee2mqtt.provider.js';
import { DeviceReadingsRepository } from './readings/device-readings.repository.js';

/** The providers that there are; one that is added is another line. */
const adapters = [DeviceSimulator, SimulatedDevicesRepository, SeamProvider, Zigbee2MqttProvider];

@Module({
  imports: [EventsModule, OrganizationsModule, ConnectionsModule],
  controllers: [DevicesController, DeviceCommandsController],
  providers: [
    ...adapters,
    CommandRunner,
    CommandSteps,
    DeviceCommandsRepository,
    DeviceCommandsService,
    DeviceLines,
    DeviceLinesRepository,
    DeviceProviders,
    DeviceReadingsRepository,
    DeviceReadiness,
    DeviceReports,
    DevicesRepository,
    DevicesService,
    DiscoveryService,
    ProviderCalls,
  ],
  exports: [DeviceProviders, DeviceReports, DevicesService],
})
export class DevicesModule {}

/** Where vendors post, outside of the API. */
@Module({ imports: [ConnectionsModule, DevicesModule], controllers: [PostedMessagesController] })
export class PostedMessagesModule {}
