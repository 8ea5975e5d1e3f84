import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Hindrance } from '../../organizations/property.dto.js';
import { PropertyReadiness } from '../../organizations/property-readiness.js';
import type { Device } from './device.entity.js';
import { DevicesRepository } from './devices.repository.js';

/** °C that a room may be colder or warmer than it is set to. */
const tolerance = 3;

/** Guests can be let in where everything is locked, and as warm as it is set to. */
@Injectable()
export class DeviceReadiness implements OnModuleInit {
  constructor(
    private readonly readiness: PropertyReadiness,
    private readonly devices: DevicesRepository,
  ) {}

  onModuleInit(): void {
    this.readiness.add((orgId, propertyIds) => this.look(orgId, propertyIds));
  }

  private async look(orgId: string, propertyIds: readonly string[]): Promise<Map<string, Hindrance[]>> {
    const found = new Map<string, Hindrance[]>();
    for (const device of await this.devices.inUseAt(orgId, propertyIds)) {
      const propertyId = device.propertyId as string;
      const known = found.get(propertyId) ?? [];
      found.set(propertyId, [...new Set([...known, ...hindrancesOf(device)])]);
    }
    return found;
  }
}

function hindrancesOf({ state }: Device): Hindrance[] {
  const { lockState, temperature, targetTemperature, mode } = state;
  const isSet = temperature !== null && targetTemperature !== null && mode !== 'off';
  return [
    ...(lockState === 'unlocked' ? ['unlocked' as const] : []),
    ...(isSet && Math.abs(temperature - targetTemperature) > tolerance ? ['temperature' as const] : []),
  ];
}
