import { Injectable, type OnModuleInit } from '@nestjs/common';
import { invalidField } from '#errors';
import { Keyring } from '#secrets';
import { reached } from '#turns';
import type { Account } from '../../../../outside/connections/connection-provider.js';
import type { ConnectionDetails } from '../../../../outside/connections/connection.dto.js';
import type { CommandAnswer, DeviceReport, FoundDevice, Read } from '../device-answers.js';
import { type DeviceOrder, DeviceProvider } from '../device-provider.js';
import { DeviceProviders } from '../device-providers.js';
import { SimulatedCodes } from './simulated-codes.js';
import { SimulatedDevicesRepository } from './simulated-devices.repository.js';
import { arrive, became, behaviours, type Memory, simulatedDevices } from './simulated-vendor.js';
import { behaviourOf, SimulatorSettings } from './simulator-settings.dto.js';

type Simulated = Account<SimulatorSettings>;

/** A vendor of two locks and a thermostat within this process, which does on demand what vendors do at their worst. */
@Injectable()
export class DeviceSimulator extends DeviceProvider<SimulatorSettings> implements OnModuleInit {
  readonly provider = 'simulator';
  readonly settings = SimulatorSettings;
  readonly isInProcess = true;
  override readonly codes: SimulatedCodes;

  constructor(
    private readonly providers: DeviceProviders,
    private readonly devices: SimulatedDevicesRepository,
    keyring: Keyring,
  ) {
    super();
    this.codes = new SimulatedCodes(devices, keyring);
  }

  onModuleInit(): void {
    this.providers.register(this);
  }

  override check({ behaviour = {} }: SimulatorSettings): void {
    for (const [device, value] of Object.entries(behaviour)) {
      if (behaviours.includes(value)) continue;
      throw invalidField(['settings', 'behaviour', device], `Choose one of: ${behaviours.join(', ')}.`);
    }
  }

  async discover({ connection }: Simulated, signal: AbortSignal): Promise<Read<FoundDevice[]>> {
    if (signal.aborted) return { outcome: 'unreachable' };
    const memories = await this.devices.open(connection);
    const found = simulatedDevices.map(({ state: _, ...device }) => ({
      ...device,
      manufacturer: 'Simulator',
      report: reportOf(device.providerDeviceId, memories.get(device.providerDeviceId) as Memory),
    }));
    return { outcome: 'read', value: found };
  }

  async readState(
    { connection }: Simulated,
    providerDeviceId: string,
    signal: AbortSignal,
  ): Promise<Read<DeviceReport>> {
    if (signal.aborted) return { outcome: 'unreachable' };
    const memory = (await this.devices.open(connection)).get(providerDeviceId);
    return memory
      ? { outcome: 'read', value: reportOf(providerDeviceId, memory) }
      : { outcome: 'refused', retryable: false };
  }

  async send(account: Simulated, order: DeviceOrder, signal: AbortSignal): Promise<CommandAnswer> {
    const { providerDeviceId } = order;
    const behaviour = behaviourOf(account, providerDeviceId);
    if (behaviour === 'unreachable' || signal.aborted) return { outcome: 'unreachable' };
    const arrived = await this.devices.change(account.connection, providerDeviceId, (memory, now) => {
      arrive(memory, order, behaviour, now);
      return became(memory, order);
    });
    if (!arrived) return { outcome: 'refused', retryable: false };
    const outcome = arrived.result;
    if ('refused' in outcome) return { outcome: 'refused', ...outcome.refused };
    if (behaviour === 'lose-answer' || behaviour === 'malformed') return { outcome: 'unknown' };
    // An answer that no adapter may give: the type forbids it, and the caller has to detect it.
    if (behaviour === 'corrupt') return { outcome: 'perhaps' } as unknown as CommandAnswer;
    if (!(await reached(Date.parse(outcome.takesEffectAt), signal))) return { outcome: 'unknown' };
    return await this.inquire(account, order);
  }

  async inquire({ connection }: Simulated, inquiry: DeviceOrder): Promise<CommandAnswer> {
    const asked = await this.devices.change(connection, inquiry.providerDeviceId, (memory) => became(memory, inquiry));
    if (!asked) return { outcome: 'refused', retryable: false };
    if ('refused' in asked.result) return { outcome: 'refused', ...asked.result.refused };
    return asked.result.isDone
      ? { outcome: 'confirmed', report: reportOf(inquiry.providerDeviceId, asked.memory) }
      : { outcome: 'accepted' };
  }

  override async describe({ connection }: Simulated): Promise<ConnectionDetails> {
    const memories = await this.devices.open(connection);
    const counts = [...memories].map(([device, { contacts, effects }]) => [device, { contacts, effects }]);
    return { simulator: Object.fromEntries(counts) as ConnectionDetails['simulator'] };
  }
}

const reportOf = (providerDeviceId: string, { state }: Memory): DeviceReport => ({
  providerDeviceId,
  reportedAt: new Date().toISOString(),
  online: true,
  batteryLevel: providerDeviceId.includes('lock') ? 80 : null,
  state,
});
