import { Id } from '#operations';
import type { Account } from '../../../outside/connections/connection-provider.js';
import type { ConnectionDetails } from '../../../connections/connection.dto.js';
import type { DeviceMode } from '../../../devices/device.dto.js';
import type {
  CodeAnswer,
  CommandAnswer,
  DeviceReport,
  Failure,
  FoundCode,
  FoundDevice,
  Read,
} from './device-answers.js';

/** The settings that connections of every device provider take; an adapter's own extend them. */
export class DeviceSettings {
  @Id('property', { about: 'Where the devices are that it discovers; nowhere when left out.', optional: true })
  propertyId?: string;
}

/** What a device is told to do. */
export type DeviceAction =
  | { operation: 'lockDevice' | 'unlockDevice' }
  | { operation: 'setDeviceTemperature'; temperature: number }
  | { operation: 'setDeviceMode'; mode: DeviceMode };

export interface DeviceOrder {
  /** The same at every contact about a command: the provider's idempotency key, where it takes one. */
  commandId: string;
  providerDeviceId: string;
  action: DeviceAction;
}

export interface DeviceInquiry extends DeviceOrder {
  /** What the provider called the command when it answered; null where it did not. */
  providerRef: string | null;
  /** When it was sent, RFC 3339: what a device said later than that may show that it took effect. */
  sentAt: string;
}

export interface CodeOrder {
  /** The same at every contact about a code: the provider's idempotency key, where it takes one. */
  codeId: string;
  providerDeviceId: string;
  name: string;
  /** Digits. */
  code: string;
  /** From when and until when it works, RFC 3339; null for always. */
  startsAt: string | null;
  endsAt: string | null;
  /** It works once. */
  isOneTime: boolean;
}

/** The side of a provider that keeps access codes. Setting and removing may be repeated: the same code is there once. */
export interface CodeKeeping<Settings extends DeviceSettings = DeviceSettings> {
  set(account: Account<Settings>, order: CodeOrder, signal: AbortSignal): Promise<CodeAnswer>;
  /** Confirmed where there is none any more. */
  remove(
    account: Account<Settings>,
    code: { providerDeviceId: string; providerRef: string },
    signal: AbortSignal,
  ): Promise<CodeAnswer>;
  list(account: Account<Settings>, providerDeviceId: string, signal: AbortSignal): Promise<Read<FoundCode[]>>;
}

/** What a vendor posted to us: as it came, since signatures are over bytes. */
export interface PostedMessage {
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  body: Buffer;
}

/** What devices say of their own accord: posted by the vendor, or heard on a connection that is kept open. */
export interface Pushing<Settings extends DeviceSettings = DeviceSettings> {
  /** @returns undefined for a message that is not shown to be the vendor's own. */
  read?(account: Account<Settings>, message: PostedMessage): Promise<DeviceReport[] | undefined>;
  /** Listens until the signal aborts or the line is lost, after which it is asked to listen again. */
  listen?(account: Account<Settings>, hear: (report: DeviceReport) => void, signal: AbortSignal): Promise<Line>;
}

/** A connection on which devices are heard, or why there is none. */
export type Line = { outcome: 'listening'; lost: Promise<void> } | Failure;

/**
 * A provider of devices, as this service sees it. An adapter for each extends this, registers itself with
 * `DeviceProviders`, and passes test/contracts/device-provider.contract.ts.
 *
 * No method throws: whatever happens is one of the port's answers. A signal that aborts ends the waiting; what was sent
 * by then is `unknown`, what was not is `unreachable`.
 */
export abstract class DeviceProvider<Settings extends DeviceSettings = DeviceSettings> {
  abstract readonly provider: string;
  abstract readonly settings: new () => Settings;
  /** It runs in this process and calls nobody, so its devices are there when createConnection answers. */
  abstract readonly isInProcess: boolean;
  /** Absent where the provider keeps no access codes. */
  readonly codes?: CodeKeeping<Settings>;
  /** Absent where the provider only answers when asked. */
  readonly pushing?: Pushing<Settings>;

  /**
   * Refuses settings that their class lets pass and that make no sense all the same; calls nobody.
   *
   * @throws validation_error naming a path below `settings`.
   */
  check(_settings: Settings): void {}

  /** Every device of the account. */
  abstract discover(account: Account<Settings>, signal: AbortSignal): Promise<Read<FoundDevice[]>>;

  /** What a device says of itself now. */
  abstract readState(
    account: Account<Settings>,
    providerDeviceId: string,
    signal: AbortSignal,
  ): Promise<Read<DeviceReport>>;

  /** Tells a device to do something. Called once for a command, and never again: what became of it is inquired about. */
  abstract send(account: Account<Settings>, order: DeviceOrder, signal: AbortSignal): Promise<CommandAnswer>;

  /**
   * Asks what became of a command, and causes nothing. `refused` says that it had no effect and will have none;
   * `unreachable` that nobody could be asked, so that it is asked again; `unknown` that nobody can tell, for good.
   */
  abstract inquire(account: Account<Settings>, inquiry: DeviceInquiry, signal: AbortSignal): Promise<CommandAnswer>;

  /** What getConnection shows besides. */
  describe(_account: Account<Settings>): Promise<ConnectionDetails> {
    return Promise.resolve({});
  }
}
