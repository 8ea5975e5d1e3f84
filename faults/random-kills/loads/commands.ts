import type { Client } from '../../client.js';
import { faultsAmong, type Load, type Verdict } from './load.js';

const locks = ['sim-lock-1', 'sim-lock-2'] as const;

/** Also if the outcome is unknown: repeated with its key, such a command gets the same response again. */
const endings = ['CONNECTOR_ERROR', 'NON_RETRYABLE'];

interface Command {
  status: string;
}
interface Device {
  id: string;
  providerDeviceId: string;
}
type Simulated = Record<string, { effects: number }>;

/** Locks are locked and unlocked. The simulator counts what took effect: never more than was commanded and reported. */
export class Commands implements Load {
  readonly name = 'commands';
  private connectionId = '';
  private devices: Device[] = [];
  private sent = 0;

  async prepare(client: Client): Promise<void> {
    const wishes = { provider: 'simulator', kind: 'device', name: 'Simulated', credentials: {}, settings: {} };
    this.connectionId = (await client.send('POST', '/connections', wishes)).id as string;
    this.devices = await client.list<Device>(`/devices?connectionId=${this.connectionId}`);
  }

  async run(client: Client, signal: AbortSignal): Promise<void> {
    await Promise.all(
      this.devices
        .filter(({ providerDeviceId }) => locks.some((lock) => lock === providerDeviceId))
        .map((device) => this.turn(client, device, signal)),
    );
  }

  async judge(client: Client): Promise<Verdict> {
    const counts = {
      'commands without an end': 0,
      'effects of no command': 0,
      'commands told as done without an effect': 0,
    };
    const figures = { sent: this.sent, succeeded: 0, unknown: 0, failed: 0, effects: 0 };
    const { simulator } = (await client.read(`/connections/${this.connectionId}`)) as unknown as {
      simulator: Simulated;
    };
    for (const { id, providerDeviceId } of this.devices) {
      const commands = await client.list<Command>(`/device-commands?deviceId=${id}`);
      const of = (...statuses: string[]) => commands.filter(({ status }) => statuses.includes(status)).length;
      const effects = simulator[providerDeviceId]?.effects ?? 0;
      figures.succeeded += of('succeeded');
      figures.unknown += of('unknown');
      figures.failed += of('failed', 'refused');
      figures.effects += effects;
      counts['commands without an end'] += commands.length - of('succeeded', 'unknown', 'failed', 'refused');
      counts['effects of no command'] += Math.max(0, effects - of('succeeded', 'unknown'));
      counts['commands told as done without an effect'] += Math.max(0, of('succeeded') - effects);
    }
    return { figures, faults: faultsAmong(counts) };
  }

  private async turn(client: Client, { id }: Device, signal: AbortSignal): Promise<void> {
    for (let number = 0; !signal.aborted; number += 1) {
      await client.try('POST', `/devices/${id}/${number % 2 === 0 ? 'lock' : 'unlock'}`, {}, endings);
      this.sent += 1;
    }
  }
}
