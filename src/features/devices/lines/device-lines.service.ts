import { randomUUID } from 'node:crypto';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { DueTimer } from '#jobs';
import type { Config } from '../../../platform/config/app.config.js';
import { CONFIG } from '../../../platform/config/app.config.js';
import { ConnectionAccounts } from '../../../outside/connections/connection-accounts.js';
import { DeviceReports } from '../device-reports.service.js';
import type { DeviceReport } from '../providers/device-answers.js';
import { DeviceProviders } from '../providers/device-providers.js';
import { DeviceLinesRepository, type HeldConnection } from './device-lines.repository.js';

const lookEveryMs = 5_000;
/** Longer than it takes to look again; a process that is gone for so long is followed by another. */
const leaseMs = 20_000;
/** After a line was lost, or there was none to be had. */
const restMs = 15_000;
const takenAtOnce = 20;

interface HeldLine {
  fingerprint: string | null;
  end: AbortController;
}

/**
 * Keeps a line open to each connection whose devices speak of their own accord. A lease in the database lets one process
 * do so at a time; that two hear the same for a moment, as after a long pause of one, changes nothing twice.
 */
@Injectable()
export class DeviceLines implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(DeviceLines.name);
  private readonly holder = randomUUID();
  private readonly lines = new Map<string, HeldLine>();
  private readonly running = new Set<Promise<void>>();
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
    for (const { end } of this.lines.values()) end.abort();
    await Promise.all(this.running);
  }

  /** Ends what is not ours any more or has changed, and takes what nobody listens to. */
  async look(): Promise<void> {
    const now = Date.now();
    const until = new Date(now + leaseMs).toISOString();
    const held = new Map((await this.rows.renew(this.holder, until)).map((one) => [one.connectionId, one.fingerprint]));
    for (const [connectionId, { fingerprint, end }] of this.lines) {
      if (fingerprint === null || held.get(connectionId) !== fingerprint) end.abort();
    }
    const listening = this.providers.listening();
    for (const taken of await this.rows.take(listening, this.holder, new Date(now).toISOString(), until, takenAtOnce)) {
      const running = this.hold(taken).finally(() => this.running.delete(running));
      this.running.add(running);
    }
  }

  private async hold(taken: HeldConnection): Promise<void> {
    const { connectionId, fingerprint } = taken;
    const end = new AbortController();
    this.lines.set(connectionId, { fingerprint, end });
    try {
      await this.listen(taken, end.signal);
    } catch (err) {
      this.log.error({ err: err as Error, connectionId }, 'A line to devices failed; it is taken up again');
    }
    this.lines.delete(connectionId);
    const again = new Date(Date.now() + (end.signal.aborted ? 0 : restMs)).toISOString();
    await this.rows.leave(this.holder, connectionId, again).catch(() => undefined);
  }

  /** The status of a connection is the sync's to tell: it is synced where the line shows that it is another one. */
  private async listen({ orgId, connectionId }: HeldConnection, over: AbortSignal): Promise<void> {
    const account = await this.accounts.of(orgId, connectionId);
    if (!account) return;
    const { provider, status } = account.connection;
    const line = await this.providers.named(provider).pushing?.listen?.(account, this.earOf(orgId, connectionId), over);
    if (line?.outcome === 'listening') {
      if (status === 'degraded') await this.accounts.syncSoon(orgId, connectionId);
      await line.lost;
    }
    if (!over.aborted && (line?.outcome === 'listening' || status === 'connected')) {
      await this.accounts.syncSoon(orgId, connectionId);
    }
  }

  /**
   * While what was heard is written, what a device says more is put together. What it said before there was a line, which
   * a broker may have kept, stays apart, or it would seem as new as what is said now.
   */
  private earOf(orgId: string, connectionId: string): (report: DeviceReport) => void {
    const since = Date.now();
    const heard = new Map<string, DeviceReport>();
    let isWriting = false;
    const write = async (): Promise<void> => {
      isWriting = true;
      while (heard.size > 0) {
        const reports = [...heard.values()];
        heard.clear();
        await this.reports
          .hear(orgId, connectionId, reports)
          .catch((err: unknown) => this.log.error({ err, connectionId }, 'What devices said was not taken over'));
      }
      isWriting = false;
    };
    return (report) => {
      const speaker = `${report.providerDeviceId} ${Date.parse(report.reportedAt) < since ? 'before' : 'now'}`;
      const before = heard.get(speaker);
      heard.set(speaker, { ...before, ...report, state: { ...before?.state, ...report.state } });
      if (!isWriting) void write();
    };
  }
}
