import type { Caller } from '#access';
import {
  type Account,
  ConnectionProvider,
  type Ending,
  type Pulled,
} from '../../../outside/connections/connection-provider.js';
import type { ConnectionDetails } from '../../../outside/connections/connection.dto.js';
import type { Connection } from '../../../outside/connections/connection.entity.js';
import type { PropertiesService } from '../../../tenancy/properties/properties.service.js';
import type { DiscoveryService } from '../discovery.service.js';
import type { Failure, FoundDevice } from './device-answers.js';
import type { DeviceProvider, DeviceSettings } from './device-provider.js';

const patienceMs = 20_000;

/** A provider of devices as connections see it. A sync discovers its devices and updates the known ones. */
export class DeviceConnections extends ConnectionProvider<DeviceSettings> {
  readonly kind = 'device';
  readonly provider: string;
  readonly settings: new () => DeviceSettings;
  readonly isInProcess: boolean;

  constructor(
    private readonly adapter: DeviceProvider,
    private readonly properties: PropertiesService,
    private readonly discovery: DiscoveryService,
    private readonly baseUrl: string,
  ) {
    super();
    ({ provider: this.provider, settings: this.settings, isInProcess: this.isInProcess } = adapter);
  }

  async check(caller: Caller, settings: DeviceSettings): Promise<string | null> {
    this.adapter.check(settings);
    return settings.propertyId ? (await this.properties.get(caller, settings.propertyId)).id : null;
  }

  async pull(account: Account<DeviceSettings>): Promise<Pulled> {
    const asOf = new Date(Date.now() - 1).toISOString();
    const found = await this.adapter.discover(account, AbortSignal.timeout(patienceMs));
    if (found.outcome !== 'read') return { outcome: 'failed', reason: reasonOf(found) };
    return {
      outcome: 'pulled',
      apply: (caller) => this.discovery.take(caller, account.connection, found.value.map(notAfter(asOf))),
    };
  }

  async release(_: Caller, connection: Connection, { force: isForced }: Ending): Promise<boolean> {
    await this.discovery.release(connection, isForced);
    return false;
  }

  override async describe(account: Account<DeviceSettings>): Promise<ConnectionDetails> {
    const { orgId, id } = account.connection;
    const webhookUrl = `${this.baseUrl}/device-messages/${orgId}/${id}`;
    return { ...(this.adapter.pushing?.read && { webhookUrl }), ...(await this.adapter.describe(account)) };
  }
}

/**
 * A list may be older than it says: what a device reported while the provider was asked, such as that a command took
 * effect, counts more.
 */
const notAfter =
  (asOf: string) =>
  ({ report, ...device }: FoundDevice): FoundDevice => {
    const isLater = Date.parse(report.reportedAt) > Date.parse(asOf);
    return { ...device, report: isLater ? { ...report, reportedAt: asOf } : report };
  };

function reasonOf(failure: Failure): string {
  switch (failure.outcome) {
    case 'refused':
      return failure.retryable
        ? 'The provider is busy and did not list its devices. The service retries automatically.'
        : 'The provider rejected the request for its devices. Check the credentials and settings.';
    case 'unreachable':
      return 'The provider is unreachable. The service retries automatically.';
    case 'unknown':
      return 'The provider’s response was not understood. The service retries automatically.';
  }
}
