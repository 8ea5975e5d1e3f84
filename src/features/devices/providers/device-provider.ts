import { Id } from '#operations';
import type { Account } from '../../../outside/connections/connection-provider.js';
import type { ConnectionDetails } from '../../../outside/connections/connection.dto.js';
import type { DeviceMode } from '../device.dto.js';
import type {
  CodeAnswer,
  CommandAnswer,
  DeviceReport,
  Failure,
  FoundCode,
  FoundDevice,
  Read,
} from './device-answers.js';

/** The settings of connections to any device provider; each adapter extends them. */
export class DeviceSettings {
  @Id('property', {
    description: 'Property of newly discovered devices (property_…), from listProperties; default: none.',
    optional: true,
  })
  propertyId?: string;
}

/** A command to a device. */
export type DeviceAction =
  | { operation: 'lockDevice' | 'unlockDevice' }
  | { operation: 'setDeviceTemperature'; temperature: number }
  | { operation: 'setDeviceMode'; mode: DeviceMode };

export interface DeviceOrder {
  /** The same in every request about a command: the provider's idempotency key, if it takes one. */
  commandId: string;
  providerDeviceId: string;
  action: DeviceAction;
}

export interface DeviceInquiry extends DeviceOrder {
  /** The provider's id for the command from its response; null if the response was lost. */
  providerRef: string | null;
  /** When it was sent, RFC 3339. Later reports of the device may show that it took effect. */
  sentAt: string;
}

export interface CodeOrder {
  /** The same in every request about a code: the provider's idempotency key, if it takes one. */
  codeId: string;
  providerDeviceId: string;
  name: string;
  /** Digits. */
  code: string;
  /** When it starts and stops working, RFC 3339; null for always. */
  startsAt: string | null;
  endsAt: string | null;
  /** It works once. */
  isOneTime: boolean;
}

/** The part of a provider that stores access codes. Setting and removing are idempotent: the same code exists once. */
export interface CodeKeeping<Settings extends DeviceSettings = DeviceSettings> {
  set(account: Account<Settings>, order: CodeOrder, signal: AbortSignal): Promise<CodeAnswer>;
  /** Confirmed if it no longer exists. */
  remove(
    account: Account<Settings>,
    code: { providerDeviceId: string; providerRef: string },
    signal: AbortSignal,
  ): Promise<CodeAnswer>;
  list(account: Account<Settings>, providerDeviceId: string, signal: AbortSignal): Promise<Read<FoundCode[]>>;
}

/** A vendor's request to us, as raw bytes because signatures cover bytes. */
export interface PostedMessage {
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  body: Buffer;
}

/** Reports that devices send unasked: posted by the vendor, or received on an open connection. */
export interface Pushing<Settings extends DeviceSettings = DeviceSettings> {
  /** @returns undefined for a message that is not proven to be the vendor's own. */
  read?(account: Account<Settings>, message: PostedMessage): Promise<DeviceReport[] | undefined>;
  /** Listens until the signal aborts or the connection is lost. The caller then starts it again. */
  listen?(account: Account<Settings>, onReport: (report: DeviceReport) => void, signal: AbortSignal): Promise<Line>;
}

/** An open connection that delivers reports of devices, or the reason why it could not be opened. */
export type Line = { outcome: 'listening'; lost: Promise<void> } | Failure;

/**
 * A provider of devices, as this service sees it. Each adapter extends this, registers itself with `DeviceProviders`,
 * and passes test/contracts/device-provider.contract.ts.
 *
 * No method throws: every outcome is one of the port's answers. An aborted signal ends the wait. A command that was
 * sent by then is `unknown`, and one that was not is `unreachable`.
 */
export abstract class DeviceProvider<Settings extends DeviceSettings = DeviceSettings> {
  abstract readonly provider: string;
  abstract readonly settings: new () => Settings;
  /** It runs in this process and makes no outbound calls, so its devices exist when createConnection responds. */
  abstract readonly isInProcess: boolean;
  /** Absent if the provider stores no access codes. */
  readonly codes?: CodeKeeping<Settings>;
  /** Absent if the provider cannot send reports unasked. */
  readonly pushing?: Pushing<Settings>;

  /**
   * Rejects settings that their class accepts but that make no sense, without outbound calls.
   *
   * @throws validation_error naming a path below `settings`.
   */
  check(_settings: Settings): void {}

  /** Every device of the account. */
  abstract discover(account: Account<Settings>, signal: AbortSignal): Promise<Read<FoundDevice[]>>;

  /** Reads the device's current state. */
  abstract readState(
    account: Account<Settings>,
    providerDeviceId: string,
    signal: AbortSignal,
  ): Promise<Read<DeviceReport>>;

  /** Sends a command to a device, once and never again. The outcome is looked up by inquiries. */
  abstract send(account: Account<Settings>, order: DeviceOrder, signal: AbortSignal): Promise<CommandAnswer>;

  /**
   * Looks up the outcome of a command, without side effects. `refused` means that it had no effect and will have none;
   * `unreachable` that the provider did not respond, so it is asked again; `unknown` that the outcome is permanently
   * unknown.
   */
  abstract inquire(account: Account<Settings>, inquiry: DeviceInquiry, signal: AbortSignal): Promise<CommandAnswer>;

  /** Additional fields for getConnection. */
  describe(_account: Account<Settings>): Promise<ConnectionDetails> {
    return Promise.resolve({});
  }
}
