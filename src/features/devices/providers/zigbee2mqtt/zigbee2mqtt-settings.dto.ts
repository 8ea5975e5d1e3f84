import { Text } from '#operations';
import { DeviceSettings } from '../device-provider.js';

export class Zigbee2MqttSettings extends DeviceSettings {
  @Text({ about: 'The address of the MQTT broker, mqtts.', max: 2_000 })
  url: string;

  @Text({ about: 'Below which topic zigbee2mqtt speaks; zigbee2mqtt when left out.', max: 200, optional: true })
  baseTopic?: string;
}
