import { Text } from '#operations';
import { DeviceSettings } from '../device-provider.js';

export class Zigbee2MqttSettings extends DeviceSettings {
  @Text({ description: 'Address of the MQTT broker (mqtts).', max: 2_000 })
  url: string;

  @Text({ description: 'Base topic of zigbee2mqtt; default: zigbee2mqtt.', max: 200, optional: true })
  baseTopic?: string;
}
