import { randomUUID } from 'node:crypto';
import type { ErrorWithReasonCode, MqttClient } from 'mqtt';
import type { Outbound } from '#outbound';
import type { Account } from '../../../../outside/connections/connection-provider.js';
import type { Failure } from '../device-answers.js';
import type { Zigbee2MqttSettings } from './zigbee2mqtt-settings.dto.js';

const connectTimeoutMs = 5_000;
const keepaliveSeconds = 15;
/** The session ends if a broker sends a larger message. */
const maxMessageBytes = 10 * 1_024 * 1_024;
/** Bad user name or password, and not authorized (MQTT 3.1.1, section 3.2.2.3). */
const refusals = [4, 5];

export interface Message {
  topic: string;
  text: string;
  /** A retained message, whose age is unknown. */
  isRetained: boolean;
}

/** A connection to a broker that never reconnects, so that nothing is ever sent twice. */
export class MqttSession {
  private readonly listeners = new Set<(message: Message) => void>();
  /** Aborts when the connection is lost or closed. */
  readonly ended: AbortSignal;

  private constructor(private readonly client: MqttClient) {
    const ended = new AbortController();
    this.ended = ended.signal;
    client.on('close', () => ended.abort());
    client.on('message', (topic, payload, { retain }) => {
      const message = { topic, text: payload.toString('utf8'), isRetained: retain };
      for (const listener of this.listeners) listener(message);
    });
  }

  static async open(
    outbound: Outbound,
    { settings, credentials }: Account<Zigbee2MqttSettings>,
    signal: AbortSignal,
  ): Promise<MqttSession | Failure> {
    const { username, password } = credentials;
    let client: MqttClient | undefined;
    try {
      const mqtt = await import('mqtt');
      const socket = await outbound.connect(settings.url, 'mqtt', signal);
      client = new mqtt.MqttClient(() => socket, {
        clientId: `property-operations-${randomUUID()}`,
        ...(username && { username, ...(password && { password }) }),
        reconnectPeriod: 0,
        connectTimeout: connectTimeoutMs,
        keepalive: keepaliveSeconds,
      });
      const session = new MqttSession(client);
      let readBefore = 0;
      client.on('packetreceive', () => (readBefore = socket.bytesRead));
      socket.on('data', () => socket.bytesRead - readBefore > maxMessageBytes && socket.destroy());
      await accepted(client, AbortSignal.any([signal, session.ended]));
      return session;
    } catch (error) {
      client?.end(true);
      const isRefusal = refusals.includes((error as ErrorWithReasonCode).code);
      return isRefusal ? { outcome: 'refused', retryable: false } : { outcome: 'unreachable' };
    }
  }

  /** @throws Error if the connection is lost. */
  async subscribe(topics: string[]): Promise<void> {
    await this.client.subscribeAsync(topics);
  }

  /** At most once (QoS 0), because a broker that waits for a confirmation may deliver a message twice. */
  publish(topic: string, payload: object): void {
    this.client.publish(topic, JSON.stringify(payload), { qos: 0 });
  }

  onMessage(listener: (message: Message) => void): void {
    this.listeners.add(listener);
  }

  /** The first message from now on that is looked for; undefined where the signal aborts or the line is lost before. */
  first<T>(look: (message: Message) => T | undefined, signal: AbortSignal): Promise<T | undefined> {
    const over = AbortSignal.any([signal, this.ended]);
    return new Promise((resolve) => {
      const settle = (found: T | undefined): void => {
        this.listeners.delete(listener);
        over.removeEventListener('abort', stop);
        resolve(found);
      };
      const stop = (): void => settle(undefined);
      const listener = (message: Message): void => {
        const found = look(message);
        if (found !== undefined) settle(found);
      };
      if (over.aborted) return resolve(undefined);
      this.listeners.add(listener);
      over.addEventListener('abort', stop);
    });
  }

  end(): void {
    this.client.end(true);
  }
}

/** @throws ErrorWithReasonCode if the broker rejects us, Error if the connection is lost earlier. */
async function accepted(client: MqttClient, over: AbortSignal): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    client.on('connect', () => resolve());
    // This listener stays: after an error the connection closes, and then only that matters.
    client.on('error', reject);
    over.addEventListener('abort', () => reject(new Error('The connection was lost')), { once: true });
  });
}
