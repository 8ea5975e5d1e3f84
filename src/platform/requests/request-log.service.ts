import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { DueTimer } from '#jobs';
import { Metrics } from '../metrics/metrics.js';
import { type CountedRequests, dayMs, type LoggedRequest, minuteOf } from './logged-request.js';
import { RequestLogRepository } from './request-log.repository.js';

const everyMs = 1_000;
/** More that arrive while the database is slow are counted and forgotten. */
const mostWaiting = 20_000;
/** Reads of an organization in a day that are all kept by this process; of more, one in so many. */
const readsKept = 100_000;
const sampledOneIn = 20;

/**
 * Keeps requests in the background: they are collected and written together every second. A request never waits for its
 * entry; under load an entry is dropped.
 */
@Injectable()
export class RequestLog implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger(RequestLog.name);
  private readonly timer = new DueTimer('the request log', everyMs, () => this.write(), this.log);
  private readonly reads = new Map<string, number>();
  private day = 0;
  private waiting: LoggedRequest[] = [];
  private counted = new Map<string, CountedRequests>();

  constructor(
    private readonly repository: RequestLogRepository,
    private readonly metrics: Metrics,
  ) {}

  onApplicationBootstrap(): void {
    this.timer.start();
  }

  /** The last requests have ended by now, and the database is still there. */
  async onApplicationShutdown(): Promise<void> {
    await this.timer.stop();
    await this.write();
  }

  /** @param request has ended; whether it is `sampled` is found here. */
  add(request: LoggedRequest, isRead: boolean): void {
    this.count(request);
    const read = isRead ? this.countRead(request.org_id) : 0;
    const sampled = read > readsKept;
    if (sampled && read % sampledOneIn !== 0) return;
    if (this.waiting.length < mostWaiting) this.waiting.push(sampled ? { ...request, sampled } : request);
    else this.metrics.count('requestsNotLogged', ['full']);
  }

  /** Writes the requests that are waiting; if the database refuses them, they are counted and forgotten. */
  async write(): Promise<void> {
    const [requests, counts] = [this.waiting, [...this.counted.values()]];
    if (counts.length === 0) return;
    [this.waiting, this.counted] = [[], new Map<string, CountedRequests>()];
    try {
      await this.repository.write(requests, counts);
    } catch (error) {
      this.metrics.count('requestsNotLogged', ['failed'], requests.length);
      this.log.warn({ err: error as Error, requests: requests.length }, 'Requests could not be logged');
    }
  }

  private count({ org_id, credential_kind, credential_id, operation, at, status, milliseconds }: LoggedRequest): void {
    const key = `${org_id} ${minuteOf(at)} ${credential_id} ${operation ?? ''}`;
    let counts = this.counted.get(key);
    if (!counts) {
      const of = { org_id, at, credential_kind, credential_id, operation: operation ?? '' };
      this.counted.set(key, (counts = { ...of, requests: 0, errors: 0, rate_limited: 0, milliseconds: 0 }));
    }
    counts.requests += 1;
    counts.milliseconds += milliseconds;
    if (status >= 400) counts.errors += 1;
    if (status === 429) counts.rate_limited += 1;
  }

  private countRead(orgId: string): number {
    const day = Math.floor(Date.now() / dayMs);
    if (day !== this.day) {
      this.day = day;
      this.reads.clear();
    }
    const count = (this.reads.get(orgId) ?? 0) + 1;
    this.reads.set(orgId, count);
    return count;
  }
}
