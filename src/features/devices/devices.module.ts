import { Module } from '@nestjs/common';
import { ConnectionsModule } from '../../outside/connections/connections.module.js';
import { EventsModule } from '../../platform/events/events.module.js';
import { OrganizationsModule } from '../../tenancy/organizations.module.js';
import { AccessCodesController } from './access-codes/access-codes.controller.js';
import { AccessCodesRepository } from './access-codes/access-codes.repository.js';
import { AccessCodesService } from './access-codes/access-codes.service.js';
import { CodeCalls } from './access-codes/code-calls.js';
import { CodeDigits } from './access-codes/code-digits.js';
import { CodeFollower } from './access-codes/code-follower.service.js';
import { CodeKeeper } from './access-codes/code-keeper.service.js';
import { CommandRunner } from './commands/command-runner.service.js';
import { CommandSteps } from './commands/command-steps.service.js';
import { DeviceCommandsController } from './commands/device-commands.controller.js';
import { DeviceCommandsRepository } from './commands/device-commands.repository.js';
import { DeviceCommandsService } from './commands/device-commands.service.js';
import { ProviderCalls } from './commands/provider-calls.js';
import { DeviceReports } from './device-reports.service.js';
import { DevicesController } from './devices.controller.js';
import { DevicesRepository } from './devices.repository.js';
import { DevicesService } from './devices.service.js';
import { DiscoveryService } from './discovery.service.js';
import { DeviceLinesRepository } from './lines/device-lines.repository.js';
import { DeviceLines } from './lines/device-lines.service.js';
import { PostedMessagesController } from './lines/posted-messages.controller.js';
import { DeviceProviders } from './providers/device-providers.js';
import { ProviderContact } from './providers/provider-contact.js';
import { SeamProvider } from './providers/seam/seam.provider.js';
import { SimulatedDevicesRepository } from './providers/simulator/simulated-devices.repository.js';
import { DeviceSimulator } from './providers/simulator/simulator.provider.js';
import { Zigbee2MqttProvider } from './providers/zigbee2mqtt/zigbee2mqtt.provider.js';
import { DeviceReadingsRepository } from './readings/device-readings.repository.js';

/** The available providers. A new one is another line. */
const adapters = [DeviceSimulator, SimulatedDevicesRepository, SeamProvider, Zigbee2MqttProvider];

@Module({
  imports: [EventsModule, OrganizationsModule, ConnectionsModule],
  controllers: [DevicesController, DeviceCommandsController, AccessCodesController],
  providers: [
    ...adapters,
    AccessCodesRepository,
    AccessCodesService,
    CodeCalls,
    CodeDigits,
    CodeFollower,
    CodeKeeper,
    CommandRunner,
    CommandSteps,
    DeviceCommandsRepository,
    DeviceCommandsService,
    DeviceLines,
    DeviceLinesRepository,
    DeviceProviders,
    DeviceReadingsRepository,
    DeviceReports,
    DevicesRepository,
    DevicesService,
    DiscoveryService,
    ProviderCalls,
    ProviderContact,
  ],
  exports: [CodeFollower, DeviceProviders, DeviceReports, DevicesRepository, DevicesService],
})
export class DevicesModule {}

/** Where vendors post, outside of the API. */
@Module({ imports: [ConnectionsModule, DevicesModule], controllers: [PostedMessagesController] })
export class PostedMessagesModule {}
