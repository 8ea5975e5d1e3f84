import { Text } from '#operations';
import { DeviceSettings } from '../device-provider.js';

export class SeamSettings extends DeviceSettings {
  @Text({
    description: 'Base URL of Seam; default: https://connect.getseam.com.',
    max: 2_000,
    optional: true,
  })
  endpoint?: string;
}
