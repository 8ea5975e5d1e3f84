import { AsyncResource } from 'node:async_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { databaseHosts } from '#database-hosts';
import type { Line } from './wake-ups.js';

export interface NotifySettings {
  /** Leads to PostgreSQL itself, because a pooler that shares sessions forgets who listens. */
  url: string;
  /** The role to switch to. */
  role: string;
}

interface Log {
  warn(fields: object, message: string): void;
}

const channel = 'wake_ups';
/** Commits within this time share one notification. */
const gatherMs = 3;
/** Between two notifications: a committing NOTIFY holds a lock of the whole server. */
const restMs = 10;
const reconnectMs = 1_000;
/** PostgreSQL's bound is 8,000 bytes; topics are short and ASCII. */
const longestPayload = 7_000;
const connectionTimeoutMs = 5_000;
/** Asks whether anybody listens, and answers. No work has these names. */
const [question, answer] = ['?', '!'];
/** Who has been heard is counted as listening for this long. */
const trustedMs = 60_000;
/** Without an answer within this time, nobody else listens. */
const answerMs = 5_000;

/**
 * The line between processes of one database: LISTEN and NOTIFY over one connection, outside of any transaction,
 * because a NOTIFY makes commits wait for each other. Notifications while the connection is lost are dropped.
 *
 * A process asks who listens when it connects, and again when it has heard nothing for a while. If nobody answers, it
 * sends nothing until it hears another, because a NOTIFY costs a tenth of a write.
 */
export class NotifyLine implements Line {
  private client?: pg.Client;
  private readonly unsent = new Set<string>();
  private sending?: Promise<void>;
  private connecting?: Promise<void>;
  private readonly ending = new AbortController();
  private heardAt = 0;
  private askedAt = 0;
  /** Notifications of a request are sent outside of the request's context. */
  private readonly scope = new AsyncResource('NotifyLine');

  constructor(
    private readonly settings: NotifySettings,
    private readonly log: Log,
  ) {}

  open(onNotified: (topics?: readonly string[]) => void): void {
    this.connecting = this.connect(onNotified);
  }

  notify(topic: string): void {
    if (!this.client || !this.isHeard()) return;
    this.send(topic);
  }

  /** Whether another process listens, as far as is known. */
  private isHeard(): boolean {
    const now = Date.now();
    if (this.askedAt > this.heardAt) return now - this.askedAt < answerMs;
    if (now - this.heardAt > trustedMs) {
      this.askedAt = now;
      this.send(question);
    }
    return true;
  }

  private hear(topics: readonly string[]): void {
    this.heardAt = Date.now();
    if (topics.includes(question)) this.send(answer);
  }

  private send(topic: string): void {
    this.unsent.add(topic);
    this.sending ??= this.scope.runInAsyncScope(() => this.sendAll()).finally(() => (this.sending = undefined));
  }

  async close(): Promise<void> {
    await this.sending;
    this.ending.abort();
    await this.connecting;
    const { client } = this;
    this.client = undefined;
    await client?.end().catch(() => undefined);
  }

  /** Until it succeeds. */
  private async connect(onNotified: (topics?: readonly string[]) => void, wasLost = false): Promise<void> {
    const { signal } = this.ending;
    for (let isLate = wasLost; !signal.aborted; isLate = true) {
      const { connectionString, Client } = databaseHosts(this.settings.url);
      const client = new Client({
        connectionString,
        options: `-c role=${this.settings.role}`,
        fallback_application_name: 'wake-ups',
        keepAlive: true,
        connectionTimeoutMillis: connectionTimeoutMs,
        query_timeout: connectionTimeoutMs,
      });
      const lost = (error?: Error): void => {
        if (this.client !== client) return;
        this.client = undefined;
        this.log.warn(
          { error: error?.message },
          'The connection for notifications was lost; the service will reconnect',
        );
        this.connecting = this.connect(onNotified, true);
      };
      client.on('error', lost).on('end', lost);
      client.on('notification', ({ processId, payload }) => {
        // `processID` is missing in the published types: the server process of this connection.
        if (processId === (client as unknown as { processID: number }).processID) return;
        const topics = payload?.split(' ') ?? [];
        this.hear(topics);
        onNotified(topics);
      });
      try {
        await client.connect();
        this.askedAt = Date.now();
        await client.query(`listen ${channel}; notify ${channel}, '${question}'`);
        this.client = client;
        if (isLate) onNotified();
        return;
      } catch (error) {
        if (!isLate) this.log.warn({ error: (error as Error).message }, 'No connection for notifications yet');
        await client.end().catch(() => undefined);
        await wait(reconnectMs, undefined, { signal, ref: false }).catch(() => undefined);
      }
    }
  }

  private async sendAll(): Promise<void> {
    for (let pauseMs = gatherMs; this.unsent.size > 0; pauseMs = restMs) {
      await wait(pauseMs, undefined, { ref: false });
      const payloads = payloadsOf([...this.unsent]);
      this.unsent.clear();
      await this.client
        ?.query({
          name: 'notify',
          text: `select pg_notify('${channel}', payload) from unnest($1::text[]) payload`,
          values: [payloads],
        })
        // An unresponsive connection counts as lost.
        .catch((error: unknown) => this.client?.emit('error', error));
    }
  }
}

function payloadsOf(topics: readonly string[]): string[] {
  const payloads: string[] = [];
  for (const topic of topics) {
    const last = payloads.at(-1);
    if (last !== undefined && last.length + topic.length < longestPayload) payloads.push(`${payloads.pop()} ${topic}`);
    else payloads.push(topic);
  }
  return payloads;
}
