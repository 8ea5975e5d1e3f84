import { randomUUID } from 'node:crypto';
import type { Outbound } from '#outbound';
import type { Account } from '../../../../outside/connections/connection-provider.js';
import type { DeviceReport, Failure } from '../device-answers.js';
import { type BridgeDevice, type Features, featuresOf, readingsIn } from './exposes.js';
import { type Message, MqttSession } from './mqtt-session.js';
import type { Zigbee2MqttSettings } from './zigbee2mqtt-settings.dto.js';

/** How long a healthy bridge may take to respond. */
const patienceMs = 5_000;

/** One of the bridge's devices, and how to speak of it. */
export interface Contact {
  device: BridgeDevice;
  features: Features;
  /** The topic of its states; commands and queries go below it. */
  topic: string;
}

/** zigbee2mqtt behind a broker, as documented (guide/usage/mqtt_topics_and_messages.html). */
export class Bridge {
  readonly topic: (name: string) => string;
  private listed: unknown;
  private runs = true;

  private constructor(
    readonly session: MqttSession,
    { settings }: Account<Zigbee2MqttSettings>,
  ) {
    const base = settings.baseTopic ?? 'zigbee2mqtt';
    this.topic = (name) => `${base}/${name}`;
    session.onMessage(({ topic, text }) => {
      if (topic === this.topic('bridge/devices')) this.listed = read(text) ?? this.listed;
      if (topic === this.topic('bridge/state')) this.runs = (read(text)?.state ?? text) !== 'offline';
    });
  }

  /**
   * Connects, and checks that the bridge responds. If it does not, no part of a command has been sent.
   *
   * @returns `unknown` for a bridge that responds with an unreadable list of devices.
   */
  static async open(
    outbound: Outbound,
    account: Account<Zigbee2MqttSettings>,
    signal: AbortSignal,
  ): Promise<Bridge | Failure> {
    if (signal.aborted) return { outcome: 'unreachable' };
    const session = await MqttSession.open(outbound, account, signal);
    if (!(session instanceof MqttSession)) return session;
    const bridge = new Bridge(session, account);
    const failure = await bridge.greet(signal).catch((): Failure => ({ outcome: 'unreachable' }));
    if (failure) session.end();
    return failure ?? bridge;
  }

  /** @throws Error if the connection is lost. */
  private async greet(signal: AbortSignal): Promise<Failure | undefined> {
    const patience = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
    const listing = this.session.first(({ topic }) => topic === this.topic('bridge/devices') || undefined, patience);
    const topics = ['bridge/devices', 'bridge/state', 'bridge/logging', 'bridge/response/health_check'];
    await this.session.subscribe(topics.map(this.topic));
    if (!(await this.isWell(signal)) || !(await listing)) return { outcome: 'unreachable' };
    return Array.isArray(this.listed) ? undefined : { outcome: 'unknown' };
  }

  /** Queries the bridge itself. Its response arrives after everything that the broker had retained for us. */
  async isWell(signal: AbortSignal): Promise<boolean> {
    const transaction = randomUUID();
    const answered = this.session.first(
      ({ topic, text }) =>
        !this.runs ||
        (topic === this.topic('bridge/response/health_check') && read(text)?.transaction === transaction) ||
        undefined,
      AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]),
    );
    this.session.publish(this.topic('bridge/request/health_check'), { transaction });
    return (await answered) === true && this.runs;
  }

  /** Resolves when the bridge ends, or the connection to it is lost. */
  async ended(): Promise<void> {
    if (this.runs) await this.session.first(() => !this.runs || undefined, this.session.ended);
  }

  contacts(): Contact[] {
    return (this.listed as BridgeDevice[])
      .filter((device) => typeof device?.ieee_address === 'string' && typeof device.friendly_name === 'string')
      .filter(({ type, disabled, definition }) => type !== 'Coordinator' && !disabled && definition)
      .map((device) => ({ device, features: featuresOf(device), topic: this.topic(device.friendly_name) }));
  }

  contact(providerDeviceId: string): Contact | undefined {
    return this.contacts().find(({ device }) => device.ieee_address === providerDeviceId);
  }

  /** Receives the states of devices and their availability. */
  async subscribe(contacts: readonly Contact[]): Promise<void> {
    if (contacts.length === 0) return;
    await this.session.subscribe(contacts.flatMap(({ topic }) => [topic, `${topic}/availability`]));
  }

  end(): void {
    this.session.end();
  }
}

/** Undefined if it is not a JSON object or list. */
export function read(text: string): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** The report, without a time if its age is unknown. */
export type PartialReport = Omit<DeviceReport, 'reportedAt'> & Partial<Pick<DeviceReport, 'reportedAt'>>;

/**
 * The report of a device in a message; undefined without one, or if it cannot be read. A retained state is as old as
 * its own time, which it contains if zigbee2mqtt is configured to send it (`last_seen`).
 */
export function reportIn({ device, features, topic }: Contact, message: Message): PartialReport | undefined {
  const providerDeviceId = device.ieee_address;
  const live = message.isRetained ? {} : { reportedAt: new Date().toISOString() };
  if (message.topic === `${topic}/availability`) {
    const state = read(message.text)?.state ?? message.text;
    return state === 'online' || state === 'offline'
      ? { providerDeviceId, ...live, online: state === 'online' }
      : undefined;
  }
  const payload = message.topic === topic ? read(message.text) : undefined;
  if (!payload) return undefined;
  const readings = readingsIn(features, payload);
  if (!message.isRetained) return { providerDeviceId, ...live, online: true, ...readings };
  const reportedAt = timeOf(payload.last_seen);
  return { providerDeviceId, ...(reportedAt && { reportedAt }), ...readings };
}

/** ISO 8601 or milliseconds, as zigbee2mqtt is set. */
function timeOf(lastSeen: unknown): string | undefined {
  const time = new Date(typeof lastSeen === 'string' || typeof lastSeen === 'number' ? lastSeen : NaN);
  return isNaN(time.getTime()) || time.getTime() > Date.now() ? undefined : time.toISOString();
}
