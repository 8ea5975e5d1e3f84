import type { Keyring } from '#secrets';
import type { Account } from '../../../../outside/connections/connection-provider.js';
import type { CodeAnswer, Failure, FoundCode, Read } from '../device-answers.js';
import type { CodeKeeping, CodeOrder } from '../device-provider.js';
import type { SimulatedDevicesRepository } from './simulated-devices.repository.js';
import { keepCode, simulatedDevices } from './simulated-vendor.js';
import { behaviourOf, type SimulatorSettings } from './simulator-settings.dto.js';

/** Codes at the simulated locks. The faults that apply to commands apply to codes too. */
export class SimulatedCodes implements CodeKeeping<SimulatorSettings> {
  constructor(
    private readonly devices: SimulatedDevicesRepository,
    private readonly keyring: Keyring,
  ) {}

  async set(account: Account<SimulatorSettings>, order: CodeOrder): Promise<CodeAnswer> {
    const { providerDeviceId } = order;
    const failure = failureAt(account, providerDeviceId);
    if (failure) return failure;
    const kept = await this.devices.change(account.connection, providerDeviceId, (memory) =>
      keepCode(memory, order, this.fingerprintOf(order), slotsOf(providerDeviceId)),
    );
    if (!kept) return { outcome: 'refused', retryable: false };
    if (behaviourOf(account, providerDeviceId) === 'lose-answer') return { outcome: 'unknown' };
    const { result } = kept;
    return 'reason' in result
      ? { outcome: 'refused', retryable: false, ...result }
      : { outcome: 'confirmed', ...result };
  }

  async remove(
    account: Account<SimulatorSettings>,
    { providerDeviceId, providerRef }: { providerDeviceId: string; providerRef: string },
  ): Promise<CodeAnswer> {
    const failure = failureAt(account, providerDeviceId);
    if (failure) return failure;
    await this.devices.change(account.connection, providerDeviceId, (memory) => {
      memory.codes = memory.codes.filter((kept) => kept.providerRef !== providerRef);
    });
    return { outcome: 'confirmed', providerRef };
  }

  async list(account: Account<SimulatorSettings>, providerDeviceId: string): Promise<Read<FoundCode[]>> {
    if (failureAt(account, providerDeviceId)) return { outcome: 'unreachable' };
    const memory = (await this.devices.open(account.connection)).get(providerDeviceId);
    if (!memory) return { outcome: 'refused', retryable: false };
    return { outcome: 'read', value: memory.codes.map(({ codeId: _, fingerprint: __, ...code }) => code) };
  }

  private fingerprintOf({ code }: CodeOrder): string {
    return this.keyring.hash(code).toString('base64');
  }
}

function failureAt(account: Account<SimulatorSettings>, providerDeviceId: string): Failure | undefined {
  const behaviour = behaviourOf(account, providerDeviceId);
  if (behaviour === 'unreachable') return { outcome: 'unreachable' };
  return behaviour === 'refuse' || behaviour === 'busy'
    ? { outcome: 'refused', retryable: behaviour === 'busy' }
    : undefined;
}

const slotsOf = (wanted: string): number =>
  simulatedDevices.find(({ providerDeviceId }) => providerDeviceId === wanted)?.limits.codeSlots ?? 0;
