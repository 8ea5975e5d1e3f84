import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Outbound } from '#outbound';
import { checkedAddress } from '../../../../outside/connections/checked-address.js';
import type { Account } from '../../../../outside/connections/connection-provider.js';
import type { CommandAnswer, DeviceReport, FoundDevice, Read } from '../device-answers.js';
import { aimOf, isReached, notSeen } from '../device-aim.js';
import { type DeviceInquiry, type DeviceOrder, DeviceProvider, type Pushing } from '../device-provider.js';
import { DeviceProviders } from '../device-providers.js';
import { isFailure, SeamClients, type SeamFailure } from '../../../../devices/providers/seam/seam-client.js';
import { SeamCodes } from './seam-codes.js';
import { answerOf, requestOf } from './seam-commands.js';
import { foundDevice, reportOf, type SeamDevice } from './seam-devices.js';
import { reportsOf, verified } from './seam-events.js';
import { SeamSettings } from './seam-settings.dto.js';

type SeamAccount = Account<SeamSettings>;

/**
 * Locks and thermostats of many makers by Seam (docs.seam.co). A command is an action attempt, which is inquired about
 * by its id; where the answer with the id was lost, by what the device did since.
 */
@Injectable()
export class SeamProvider extends DeviceProvider<SeamSettings> implements OnModuleInit {
  readonly provider = 'seam';
  readonly settings = SeamSettings;
  readonly isInProcess = false;
  override readonly codes: SeamCodes;
  override readonly pushing: Pushing<SeamSettings> = {
    read: async ({ credentials }, message) => {
      const event = await verified(credentials.webhookSecret, message);
      return event && reportsOf(event);
    },
  };
  private readonly clients: SeamClients;

  constructor(
    private readonly providers: DeviceProviders,
    private readonly outbound: Outbound,
  ) {
    super();
    this.clients = new SeamClients(outbound);
    this.codes = new SeamCodes(this.clients);
  }

  onModuleInit(): void {
    this.providers.register(this);
  }

  override check({ endpoint }: SeamSettings): void {
    if (endpoint !== undefined) checkedAddress('endpoint', () => this.outbound.check(endpoint));
  }

  async discover(account: SeamAccount, signal: AbortSignal): Promise<Read<FoundDevice[]>> {
    const found = await this.clients.ask(account, signal, async (seam) => {
      const devices: unknown[] = await seam.createPaginator(seam.devices.list()).flattenToArray();
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
    // So far there was a question only.
    if (device && isFailure(device)) return device.outcome === 'refused' ? device : { outcome: 'unreachable' };
    const sent = await this.clients.ask(account, signal, async (seam) => {
      const request = requestOf(seam, order, device);
      return request ? { attempt: await request } : notOffered;
    });
    return isFailure(sent) ? sent : answerOf(sent.attempt, order);
  }

  async inquire(account: SeamAccount, inquiry: DeviceInquiry, signal: AbortSignal): Promise<CommandAnswer> {
    const { providerRef } = inquiry;
    if (providerRef === null) return await this.traceOf(account, inquiry, signal);
    const asked = await this.clients.ask(account, signal, async (seam) => ({
      attempt: (await seam.actionAttempts.get({ action_attempt_id: providerRef })) as unknown,
    }));
    return isFailure(asked) ? notAnswered(asked) : answerOf(asked.attempt, inquiry);
  }

  /** What the device did since the command was sent; Seam tells no other way without the attempt's id. */
  private async traceOf(account: SeamAccount, inquiry: DeviceInquiry, signal: AbortSignal): Promise<CommandAnswer> {
    const { providerDeviceId, action, sentAt } = inquiry;
    if (action.operation === 'setDeviceTemperature' || action.operation === 'setDeviceMode') {
      const device = await this.deviceOf(account, providerDeviceId, signal);
      if (isFailure(device)) return notAnswered(device);
      const report = reportOf(device);
      return isReached(action, report.state) ? { outcome: 'confirmed', report } : notSeen(inquiry);
    }
    const event_type = action.operation === 'lockDevice' ? 'lock.locked' : 'lock.unlocked';
    const seen = await this.clients.ask(account, signal, async (seam) => {
      const events = await seam.events.list({ device_id: providerDeviceId, event_type, since: sentAt });
      return events.flatMap((event) => reportsOf(event));
    });
    if (isFailure(seen)) return notAnswered(seen);
    const report = seen.find((said) => said.providerDeviceId === providerDeviceId);
    return report ? { outcome: 'confirmed', report: { ...report, state: aimOf(action) } } : notSeen(inquiry);
  }

  private deviceOf(account: SeamAccount, device_id: string, signal: AbortSignal): Promise<SeamDevice | SeamFailure> {
    return this.clients.ask(account, signal, async (seam) => checked(await seam.devices.get({ device_id })));
  }
}

const notOffered: SeamFailure = { outcome: 'refused', retryable: false };

/** Nobody could be asked, so that it is asked again; that Seam refuses to tell is for good. */
const notAnswered = (failure: SeamFailure): CommandAnswer =>
  failure.outcome === 'refused' && !failure.retryable ? { outcome: 'unknown' } : { outcome: 'unreachable' };

function checked(device: unknown): SeamDevice {
  const { device_id, properties } = (device ?? {}) as Partial<SeamDevice>;
  if (typeof device_id !== 'string' || typeof properties !== 'object' || properties === null) {
    throw new Error('This is no device');
  }
  return device as SeamDevice;
}
