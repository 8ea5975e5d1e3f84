import type * as Prometheus from 'prom-client';
import type { Config } from '../config/app.config.js';

type Counter =
  | 'requests'
  | 'limitRefusals'
  | 'shed'
  | 'quotaRefusals'
  | 'requestsNotLogged'
  | 'jobs'
  | 'webhookAttempts'
  | 'modelTokens'
  | 'cellOutages'
  | 'heavyWork';
type Duration = 'requestSeconds' | 'modelCallSeconds';
type Level = 'jobsDue' | 'jobsAtBound' | 'databaseConnections' | 'databaseWaiting' | 'threadsWaiting';
type Metric = Counter | Duration | Level;

interface Description {
  kind: 'Counter' | 'Histogram' | 'Gauge';
  name: string;
  help: string;
  labelNames: readonly string[];
  buckets?: number[];
}

const described =
  (kind: Description['kind']) =>
  (name: string, help: string, labelNames: readonly string[], buckets?: number[]): Description => ({
    kind,
    name: `property_operations_${name}`,
    help,
    labelNames,
    ...(buckets && { buckets }),
  });
const [counter, duration, level] = [described('Counter'), described('Histogram'), described('Gauge')];

const requestBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const modelBuckets = [0.5, 1, 2.5, 5, 10, 20, 40, 80, 160];

/** All metrics besides prom-client's defaults. No label contains anything that a client chose. */
export const metrics: Record<Metric, Description> = {
  requests: counter('requests_total', 'Requests and tool calls, by status.', ['operation', 'door', 'status']),
  requestSeconds: duration(
    'request_seconds',
    'Duration of requests and tool calls.',
    ['operation', 'door'],
    requestBuckets,
  ),
  limitRefusals: counter(
    'limit_refusals_total',
    'Requests rejected with 429: minute, burst, models, address, or outage of the limiter.',
    ['limit'],
  ),
  shed: counter(
    'shed_total',
    'Requests rejected with 503 in overload: own load (of the client that caused it), or general.',
    ['cause'],
  ),
  quotaRefusals: counter('quota_refusals_total', 'Additions rejected because an organization has used up a quota.', [
    'quota',
  ]),
  requestsNotLogged: counter(
    'requests_not_logged_total',
    'Requests missing from the request log: too many were waiting (full), or the database rejected them (failed).',
    ['cause'],
  ),
  jobsDue: level('jobs_due', 'Rows that were due at the last check, which counts a few dozen at most.', ['work']),
  jobsAtBound: level(
    'jobs_at_bound',
    'Organizations with more due work than the lane processes for one of them at a time.',
    ['lane'],
  ),
  jobs: counter('jobs_total', 'Jobs that ended: performed or failed; failed ones are retried.', ['work', 'result']),
  webhookAttempts: counter('webhook_attempts_total', 'Deliveries that were sent: succeeded, failed or gone.', [
    'result',
  ]),
  modelCallSeconds: duration(
    'model_call_seconds',
    'Duration of calls to the language model.',
    ['outcome'],
    modelBuckets,
  ),
  modelTokens: counter('model_tokens_total', 'Input and output tokens of the language model.', ['direction']),
  cellOutages: counter('cell_outages_total', 'Requests at the global entry that a cell did not respond to.', [
    'region',
  ]),
  heavyWork: counter(
    'heavy_work_total',
    'Work in threads, by outcome: performed, failed, refused, killed_time or killed_memory.',
    ['kind', 'outcome'],
  ),
  threadsWaiting: level('threads_waiting', 'Work that is waiting for a thread.', ['pool']),
  databaseConnections: level('database_connections', 'Connections of a pool, idle or in use.', ['pool', 'state']),
  databaseWaiting: level('database_waiting', 'Requests that are waiting for a connection of a pool.', ['pool']),
};

interface Child {
  inc(by: number): void;
  observe(seconds: number): void;
  set(value: number): void;
}

/** What happens in this process, for Prometheus. Without METRICS_PORT it counts nothing, and loads nothing to do so. */
export class Metrics {
  private readonly instruments = new Map<string, { labels(...values: string[]): unknown }>();
  /** With their labels, which are resolved once. */
  private readonly children = new Map<string, Child>();
  private readonly readings: (() => void)[] = [];

  private constructor(private readonly registry?: Prometheus.Registry) {}

  static async open({ metricsPort }: Pick<Config, 'metricsPort'>): Promise<Metrics> {
    if (metricsPort === undefined) return new Metrics();
    const prometheus = await import('prom-client');
    const registry = new prometheus.Registry();
    prometheus.collectDefaultMetrics({ register: registry });
    const opened = new Metrics(registry);
    for (const [metric, { kind, labelNames, ...rest }] of Object.entries(metrics)) {
      const instrument = new prometheus[kind]({ ...rest, labelNames: [...labelNames], registers: [registry] });
      opened.instruments.set(metric, instrument);
    }
    return opened;
  }

  count(metric: Counter, labels: readonly string[], by = 1): void {
    this.child(metric, labels)?.inc(by);
  }

  observe(metric: Duration, labels: readonly string[], seconds: number): void {
    this.child(metric, labels)?.observe(seconds);
  }

  set(metric: Level, labels: readonly string[], value: number): void {
    this.child(metric, labels)?.set(value);
  }

  /** Calls `read` before each scrape, for values that are read rather than counted. */
  beforeReading(read: () => void): void {
    this.readings.push(read);
  }

  /** In Prometheus' text format. */
  async text(): Promise<string> {
    for (const read of this.readings) read();
    return (await this.registry?.metrics()) ?? '';
  }

  private child(metric: Metric, labels: readonly string[]): Child | undefined {
    if (!this.registry) return undefined;
    const key = `${metric} ${labels.join(' ')}`;
    let child = this.children.get(key);
    if (!child) this.children.set(key, (child = this.instruments.get(metric)?.labels(...labels) as Child));
    return child;
  }
}
