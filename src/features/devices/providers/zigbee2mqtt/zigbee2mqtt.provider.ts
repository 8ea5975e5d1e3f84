import { Injectable, type OnModuleInit } from '@nestjs/common';
import { invalidField } from '#errors';
import { Outbound } from '#outbound';
import { checkedAddress } from '../../../../outside/connections/checked-address.js';
import type { Account } from '../../../../outside/connections/connection-provider.js';
import type { CommandAnswer, DeviceReport, Failure, FoundDevice, Read } from '../device-answers.js';
import { isReached, notSeen } from '../device-aim.js';
import { type DeviceInquiry, type DeviceOrder, DeviceProvider, type Pushing } from '../device-provider.js';
import { DeviceProviders } from '../device-providers.js';
import { Bridge, type Contact, reportIn, type PartialReport } from './bridge.js';
import { foundDevice, payloadOf, questionOf } from './exposes.js';
import { refusalIn } from './refusals.js';
import { listenTo } from './subscription.js';
import { Zigbee2MqttSettings } from './zigbee2mqtt-settings.dto.js';

/** A mains-powered device responds within a second or two, a battery-powered one when it wakes up. */
const confirmedWithinMs = 8_000;
const answeredWithinMs = 4_000;

type Zigbee2MqttAccount = Account<Zigbee2MqttSettings>;

/**
 * Zigbee devices behind zigbee2mqtt, over a broker that both reach. Every query and command has its own connection, so
 * that any node can send it. Reports that devices send unasked arrive over one connection that is kept open.
 */
@Injectable()
export class Zigbee2MqttProvider extends DeviceProvider<Zigbee2MqttSettings> implements OnModuleInit {
  readonly provider = 'zigbee2mqtt';
  readonly settings = Zigbee2MqttSettings;
  readonly isInProcess = false;
  override readonly pushing: Pushing<Zigbee2MqttSettings>;

  constructor(
    private readonly providers: DeviceProviders,
    private readonly outbound: Outbound,
  ) {
    super();
    this.pushing = { listen: (...args) => listenTo(outbound, ...args) };
  }

  onModuleInit(): void {
    this.providers.register(this);
  }

  override check({ url, baseTopic = '' }: Zigbee2MqttSettings): void {
    checkedAddress('url', () => this.outbound.check(url, 'mqtt'));
    if (/[+#]|^\/|\/$/.test(baseTopic)) throw invalidField(['settings', 'baseTopic'], 'Pass a topic without + and #.');
  }

  discover(account: Zigbee2MqttAccount, signal: AbortSignal): Promise<Read<FoundDevice[]>> {
    return this.with(account, signal, async (bridge) => {
      const contacts = bridge.contacts();
      const reports = new Map<string, PartialReport>();
      bridge.session.onMessage((message) => {
        for (const contact of contacts) {
          const { ieee_address } = contact.device;
          const report = reportIn(contact, message);
          if (report) reports.set(ieee_address, { ...reports.get(ieee_address), ...report });
        }
      });
      await bridge.subscribe(contacts);
      if (!(await bridge.isWell(signal))) return { outcome: 'unreachable' };
      const found = contacts.map(({ device }) => foundDevice(device, whole(device.ieee_address, reports)));
      return { outcome: 'read', value: found.filter((device) => device !== undefined) };
    });
  }

  readState(account: Zigbee2MqttAccount, providerDeviceId: string, signal: AbortSignal): Promise<Read<DeviceReport>> {
    return this.with(account, signal, async (bridge) => {
      const contact = bridge.contact(providerDeviceId);
      if (!contact) return { outcome: 'refused', retryable: false };
      const report = await this.ask(bridge, contact, signal);
      return report ? { outcome: 'read', value: report } : { outcome: 'unreachable' };
    });
  }

  async send(account: Zigbee2MqttAccount, order: DeviceOrder, signal: AbortSignal): Promise<CommandAnswer> {
    let wasSent = false;
    const answer = await this.with<CommandAnswer>(account, signal, async (bridge) => {
      const contact = bridge.contact(order.providerDeviceId);
      const payload = contact && payloadOf(contact.features, order.action);
      if (!contact || !payload) return { outcome: 'refused', retryable: false };
      await bridge.subscribe([contact]);
      const seen = bridge.session.first<CommandAnswer>(
        (message) => {
          if (message.isRetained) return undefined;
          const report = reportIn(contact, message);
          if (!report && message.topic === contact.topic) return { outcome: 'unknown' };
          if (report && isReached(order.action, report.state)) {
            return { outcome: 'confirmed', report: report as DeviceReport };
          }
          return refusalIn(contact, bridge.topic('bridge/logging'), message);
        },
        AbortSignal.any([signal, AbortSignal.timeout(confirmedWithinMs)]),
      );
      wasSent = true;
      bridge.session.publish(`${contact.topic}/set`, payload);
      return (await seen) ?? { outcome: 'unknown' };
    });
    return answer.outcome === 'unknown' && !wasSent ? { outcome: 'unreachable' } : answer;
  }

  async inquire(account: Zigbee2MqttAccount, inquiry: DeviceInquiry, signal: AbortSignal): Promise<CommandAnswer> {
    const read = await this.with<CommandAnswer>(account, signal, async (bridge) => {
      const contact = bridge.contact(inquiry.providerDeviceId);
      if (!contact) return { outcome: 'unknown' };
      const report = await this.ask(bridge, contact, signal);
      return report && isReached(inquiry.action, report.state) ? { outcome: 'confirmed', report } : notSeen(inquiry);
    });
    return read.outcome === 'refused' ? { outcome: 'unknown' } : read;
  }

  /** Asks a device for its state; undefined if it does not respond. */
  private async ask(bridge: Bridge, contact: Contact, signal: AbortSignal): Promise<DeviceReport | undefined> {
    await bridge.subscribe([contact]);
    const answer = bridge.session.first(
      (message) => (message.isRetained || message.topic !== contact.topic ? undefined : reportIn(contact, message)),
      AbortSignal.any([signal, AbortSignal.timeout(answeredWithinMs)]),
    );
    const question = questionOf(contact.features);
    if (question) bridge.session.publish(`${contact.topic}/get`, question);
    return (await answer) as DeviceReport | undefined;
  }

  private async with<T>(
    account: Zigbee2MqttAccount,
    signal: AbortSignal,
    work: (bridge: Bridge) => Promise<T | Failure>,
  ): Promise<T | Failure> {
    const bridge = await Bridge.open(this.outbound, account, signal);
    if (!(bridge instanceof Bridge)) return bridge;
    try {
      return await work(bridge);
    } catch {
      return { outcome: 'unknown' };
    } finally {
      bridge.end();
    }
  }
}

/** A device that said nothing yet is as the bridge has it. */
const whole = (providerDeviceId: string, reports: Map<string, PartialReport>): DeviceReport => {
  const { reportedAt = new Date().toISOString(), ...rest } = reports.get(providerDeviceId) ?? {};
  return { ...rest, providerDeviceId, reportedAt };
};
