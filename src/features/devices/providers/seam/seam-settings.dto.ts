import { Text } from '#operations';
import { DeviceSettings } from '../device-provider.js';

export class SeamSettings extends DeviceSettings {
  @Text({ about: 'Where Seam is reached; https://connect.getseam.com when left out.', max: 2_000, optional: true })
  endpoint?: string;
}
