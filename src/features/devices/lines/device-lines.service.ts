import { randomUUID } from 'node:crypto';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { DueTimer, HeldClaims, inFuture } from '#jobs';
import type { Config } from '../../../platform/config/app.config.js';
import { CONFIG } from '../../../platform/config/app.config.js';
import { ConnectionAccounts } from '../../../outside/connections/connection-accounts.js';
import { DeviceReports } from '../device-reports.service.js';
import type { DeviceReport } from '../providers/device-answers.js';
import { DeviceProviders } from '../providers/device-providers.js';
import { DeviceLinesRepository, type LeasedConnection } from './device-lines.repository.js';

const lookEveryMs = 5_000;
/** Longer than the time between two looks; another process takes over from one that is gone for this long. */
const leaseMs = 20_000;
/** The rest after a connection was lost or could not be opened. */
const restMs = 15_000;
const takenAtOnce = 20;

/**
 * Keeps a connection open for each account whose devices push reports. A lease in the database lets one process do so
 * at a time. Two may receive the same report for a moment, as after a long pause of one, which changes nothing twice.
 */
@Injectable()
export class DeviceLines implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(DeviceLines.name);
  private readonly holder = randomUUID();
  private readonly lines = new HeldClaims<LeasedConnection>((lines) => this.prolong(lines));
  private readonly timer = new DueTimer('device lines', lookEveryMs, () => this.look(), this.log);

  constructor(
    private readonly rows: DeviceLinesRepository,
    private readonly providers: DeviceProviders,
    private readonly accounts: ConnectionAccounts,
    private readonly reports: DeviceReports,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    if (this.config.works) this.timer.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.timer.stop();
    await this.lines.end();
  }

  /** Closes connections that are no longer ours or have changed, and takes those that no process listens to. */
  async look(): Promise<void> {
    await this.lines.renew();
    const now = new Date().toISOString();
    const listening = this.providers.listening();
    for (const taken of await this.rows.take(listening, this.holder, now, inFuture(leaseMs), takenAtOnce))
      void this.lines.hold(taken, (over) => this.keepOpen(taken, over));
  }

  /** Keeps the leases of this process; one for settings that have changed since is no longer valid. */
  private async prolong(lines: readonly LeasedConnection[]): Promise<ReadonlySet<LeasedConnection>> {
    const leased = await this.rows.renew(this.holder, inFuture(leaseMs));
    const current = new Map(leased.map(({ connectionId, fingerprint }) => [connectionId, fingerprint]));
    return new Set(lines.filter(({ connectionId, fingerprint }) => current.get(connectionId) === fingerprint));
  }

  private async keepOpen(taken: LeasedConnection, over: AbortSignal): Promise<void> {
    const { connectionId } = taken;
    try {
      await this.listen(taken, over);
    } catch (err) {
      this.log.error({ err: err as Error, connectionId }, 'A connection to devices failed; the service will reconnect');
    }
    const again = inFuture(over.aborted ? 0 : restMs);
    await this.rows.leave(this.holder, connectionId, again).catch(() => undefined);
  }

  /**
   * Only the sync changes the status of a connection, so it is synced when the open connection shows another status.
   */
  private async listen({ orgId, connectionId }: LeasedConnection, over: AbortSignal): Promise<void> {
    const account = await this.accounts.of(orgId, connectionId);
    if (!account) return;
    const { provider, status } = account.connection;
    const line = await this.providers
      .named(provider)
      .pushing?.listen?.(account, this.receiverOf(orgId, connectionId), over);
    if (line?.outcome === 'listening') {
      if (status === 'degraded') await this.accounts.syncSoon(orgId, connectionId);
      await line.lost;
    }
    if (!over.aborted && (line?.outcome === 'listening' || status === 'connected')) {
      await this.accounts.syncSoon(orgId, connectionId);
    }
  }

  /**
   * Merges the reports of a device while earlier ones are written. Reports from before the connection opened, which a
   * broker may have retained, stay separate, or they would seem as new as the current ones.
   */
  private receiverOf(orgId: string, connectionId: string): (report: DeviceReport) => void {
    const since = Date.now();
    const waiting = new Map<string, DeviceReport>();
    let isWriting = false;
    const write = async (): Promise<void> => {
      isWriting = true;
      while (waiting.size > 0) {
        const reports = [...waiting.values()];
        waiting.clear();
        await this.reports
          .receive(orgId, connectionId, reports)
          .catch((err: unknown) => this.log.error({ err, connectionId }, 'State reported by devices was not saved'));
      }
      isWriting = false;
    };
    return (report) => {
      const speaker = `${report.providerDeviceId} ${Date.parse(report.reportedAt) < since ? 'before' : 'now'}`;
      const before = waiting.get(speaker);
      waiting.set(speaker, { ...before, ...report, state: { ...before?.state, ...report.state } });
      if (!isWriting) void write();
    };
  }
}
