import { Metadata } from '#operations';
import type { Account } from '../../../../outside/connections/connection-provider.js';
import { DeviceSettings } from '../device-provider.js';
import { type Behaviour, behaviours } from './simulated-vendor.js';

export class SimulatorSettings extends DeviceSettings {
  @Metadata({
    description: `Response to commands, by provider device id: ${behaviours.join(', ')}.`,
    optional: true,
  })
  behaviour?: Record<string, Behaviour>;
}

export const behaviourOf = ({ settings }: Account<SimulatorSettings>, providerDeviceId: string): Behaviour =>
  settings.behaviour?.[providerDeviceId] ?? 'ok';
