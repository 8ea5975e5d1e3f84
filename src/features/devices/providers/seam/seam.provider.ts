import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Outbound } from '#outbound';
import { checkedAddress } from '../../../../outside/connections/checked-address.js';
import type { Account } from '../../../../outside/connections/connection-provider.js';
import type { CommandAnswer, DeviceReport, FoundDevice, Read } from '../device-answers.js';
import { aimOf, isReached, notSeen } from '../device-aim.js';
import { type DeviceInquiry, type DeviceOrder, DeviceProvider, type Pushing } from '../device-provider.js';
import { DeviceProviders } from '../device-providers.js';
import { allPages, isFailure, SeamClient, type SeamFailure } from './seam-client.js';
import { SeamCodes } from './seam-codes.js';
import { answerOf, requestOf } from './seam-commands.js';
import { foundDevice, reportOf, type SeamDevice } from './seam-devices.js';
import { reportsOf, verified } from './seam-events.js';
import { SeamSettings } from './seam-settings.dto.js';

type SeamAccount = Account<SeamSettings>;

/**
 * Locks and thermostats of many makers through Seam (docs.seam.co). A command is an action attempt, whose outcome is
 * looked up by its id. If the response with the id was lost, the outcome is derived from the device's later reports.
 */
@Injectable()
export class SeamProvider extends DeviceProvider<SeamSettings> implements OnModuleInit {
  readonly provider = 'seam';
  readonly settings = SeamSettings;
  readonly isInProcess = false;
  override readonly codes: SeamCodes;
  override readonly pushing: Pushing<SeamSettings> = {
    read: ({ credentials }, message) => {
      const event = verified(credentials.webhookSecret, message);
      return Promise.resolve(event && reportsOf(event));
    },
  };
  private readonly client: SeamClient;

  constructor(
    private readonly providers: DeviceProviders,
    private readonly outbound: Outbound,
  ) {
    super();
    this.client = new SeamClient(outbound);
    this.codes = new SeamCodes(this.client);
  }

  onModuleInit(): void {
    this.providers.register(this);
  }

  override check({ endpoint }: SeamSettings): void {
    if (endpoint !== undefined) checkedAddress('endpoint', () => this.outbound.check(endpoint));
  }

  async discover(account: SeamAccount, signal: AbortSignal): Promise<Read<FoundDevice[]>> {
    const found = await this.client.ask(account, signal, async (call) => {
      const devices = await allPages(call, 'devices/list', 'devices');
      return devices.map((device) => foundDevice(checked(device)));
    });
    return isFailure(found) ? found : { outcome: 'read', value: found };
  }

  async readState(account: SeamAccount, device_id: string, signal: AbortSignal): Promise<Read<DeviceReport>> {
    const device = await this.deviceOf(account, device_id, signal);
    return isFailure(device) ? device : { outcome: 'read', value: reportOf(device) };
  }

  async send(account: SeamAccount, order: DeviceOrder, signal: AbortSignal): Promise<CommandAnswer> {
    const isClimate = order.action.operation.startsWith('setDevice');
    const device = isClimate ? await this.deviceOf(account, order.providerDeviceId, signal) : undefined;
    // So far, only a query was sent.
    if (device && isFailure(device)) return device.outcome === 'refused' ? device : { outcome: 'unreachable' };
    const sent = await this.client.ask(
      account,
      signal,
      async (call) => (await requestOf(call, order, device)) ?? notOffered,
    );
    return isFailure(sent) ? sent : answerOf(sent, order);
  }

  async inquire(account: SeamAccount, inquiry: DeviceInquiry, signal: AbortSignal): Promise<CommandAnswer> {
    const { providerRef } = inquiry;
    if (providerRef === null) return await this.traceOf(account, inquiry, signal);
    const asked = await this.client.ask(account, signal, (call) =>
      call('action_attempts/get', { action_attempt_id: providerRef }),
    );
    return isFailure(asked) ? notAnswered(asked) : answerOf(asked, inquiry);
  }

  /** What the device did since the command was sent: without the attempt's id, Seam offers no other way. */
  private async traceOf(account: SeamAccount, inquiry: DeviceInquiry, signal: AbortSignal): Promise<CommandAnswer> {
    const { providerDeviceId, action, sentAt } = inquiry;
    if (action.operation === 'setDeviceTemperature' || action.operation === 'setDeviceMode') {
      const device = await this.deviceOf(account, providerDeviceId, signal);
      if (isFailure(device)) return notAnswered(device);
      const report = reportOf(device);
      return isReached(action, report.state) ? { outcome: 'confirmed', report } : notSeen(inquiry);
    }
    const event_type = action.operation === 'lockDevice' ? 'lock.locked' : 'lock.unlocked';
    const seen = await this.client.ask(account, signal, async (call) => {
      const { events } = await call('events/list', { device_id: providerDeviceId, event_type, since: sentAt });
      return (events as object[]).flatMap((event) => reportsOf(event));
    });
    if (isFailure(seen)) return notAnswered(seen);
    const report = seen.find((one) => one.providerDeviceId === providerDeviceId);
    return report ? { outcome: 'confirmed', report: { ...report, state: aimOf(action) } } : notSeen(inquiry);
  }

  private deviceOf(account: SeamAccount, device_id: string, signal: AbortSignal): Promise<SeamDevice | SeamFailure> {
    return this.client.ask(account, signal, async (call) => checked((await call('devices/get', { device_id })).device));
  }
}

const notOffered: SeamFailure = { outcome: 'refused', retryable: false };

/** If Seam is unreachable, it is asked again; if it refuses to answer, the outcome is final. */
const notAnswered = (failure: SeamFailure): CommandAnswer =>
  failure.outcome === 'refused' && !failure.retryable ? { outcome: 'unknown' } : { outcome: 'unreachable' };

function checked(device: unknown): SeamDevice {
  const { device_id, properties } = (device ?? {}) as Partial<SeamDevice>;
  if (typeof device_id !== 'string' || typeof properties !== 'object' || properties === null) {
    throw new Error('This is not a device');
  }
  return device as SeamDevice;
}
