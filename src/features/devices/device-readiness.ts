import { Injectable } from '@nestjs/common';
import type { FeatureBlocker, ReadinessSource } from '../../tenancy/followers/followers.js';
import type { Device } from './device.entity.js';
import { DevicesRepository } from './devices.repository.js';

/** °C that a room may be colder or warmer than it is set to. */
const tolerance = 3;

/** Guests can enter if everything is locked, and rooms have their set temperature. */
@Injectable()
export class DeviceReadiness implements ReadinessSource {
  constructor(private readonly devices: DevicesRepository) {}

  async blockersAt(orgId: string, propertyIds: readonly string[]): Promise<Map<string, FeatureBlocker[]>> {
    const found = new Map<string, FeatureBlocker[]>();
    for (const device of await this.devices.inUseAt(orgId, propertyIds)) {
      const propertyId = device.propertyId as string;
      const known = found.get(propertyId) ?? [];
      found.set(propertyId, [...new Set([...known, ...blockersOf(device)])]);
    }
    return found;
  }
}

function blockersOf({ state }: Device): FeatureBlocker[] {
  const { lockState, temperature, targetTemperature, mode } = state;
  const isSet = temperature !== null && targetTemperature !== null && mode !== 'off';
  return [
    ...(lockState === 'unlocked' ? ['unlocked' as const] : []),
    ...(isSet && Math.abs(temperature - targetTemperature) > tolerance ? ['temperature' as const] : []),
  ];
}
