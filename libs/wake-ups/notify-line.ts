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

/**
 * The line between processes of one database: LISTEN and NOTIFY over one connection, outside of any transaction,
 * because a NOTIFY makes commits wait for each other. What is told while the connection is lost is dropped.
 */
export class NotifyLine implements Line {
  private client?: pg.Client;
  private readonly untold = new Set<string>();
  private telling?: Promise<void>;
  private connecting?: Promise<void>;
  private readonly ending = new AbortController();
  /** What a request tells is sent outside of the request's context. */
  private readonly scope = new AsyncResource('NotifyLine');

  constructor(
    private readonly settings: NotifySettings,
    private readonly log: Log,
  ) {}

  open(heard: (topics?: readonly string[]) => void): void {
    this.connecting = this.connect(heard);
  }

  tell(topic: string): void {
    if (!this.client) return;
    this.untold.add(topic);
    this.telling ??= this.scope.runInAsyncScope(() => this.tellAll()).finally(() => (this.telling = undefined));
  }

  async close(): Promise<void> {
    await this.telling;
    this.ending.abort();
    await this.connecting;
    const { client } = this;
    this.client = undefined;
    await client?.end().catch(() => undefined);
  }

  /** Until it succeeds. */
  private async connect(heard: (topics?: readonly string[]) => void, wasLost = false): Promise<void> {
    const { signal } = this.ending;
    for (let isLate = wasLost; !signal.aborted; isLate = true) {
      const { connectionString, Client } = databaseHosts(this.settings.url);
      const client = new Client({
        connectionString,
        options: `-c role=${this.settings.role}`,
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
        this.connecting = this.connect(heard, true);
      };
      client.on('error', lost).on('end', lost);
      client.on('notification', ({ processId, payload }) => {
        // `processID` is missing in the published types: the server process of this connection.
        if (processId !== (client as unknown as { processID: number }).processID) heard(payload?.split(' '));
      });
      try {
        await client.connect();
        await client.query(`listen ${channel}`);
        this.client = client;
        if (isLate) heard();
        return;
      } catch (error) {
        if (!isLate) this.log.warn({ error: (error as Error).message }, 'No connection for notifications yet');
        await client.end().catch(() => undefined);
        await wait(reconnectMs, undefined, { signal, ref: false }).catch(() => undefined);
      }
    }
  }

  private async tellAll(): Promise<void> {
    for (let pauseMs = gatherMs; this.untold.size > 0; pauseMs = restMs) {
      await wait(pauseMs, undefined, { ref: false });
      const payloads = payloadsOf([...this.untold]);
      this.untold.clear();
      await this.client
        ?.query({
          name: 'tell',
          text: `select pg_notify('${channel}', payload) from unnest($1::text[]) payload`,
          values: [payloads],
        })
        // A connection that answers nothing is as good as lost.
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
