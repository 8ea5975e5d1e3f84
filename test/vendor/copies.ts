import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type * as TheClient from '../../clients/typescript/src/index.js';

export type Client = TheClient.PropertyOperations;
type Event = TheClient.Item<'listEvents'>;

/** What a copy keeps of each stay. */
interface Row {
  id: string;
  version: number;
  status: string;
  checkInDate: string;
  checkOutDate: string;
  unitId: string | null;
}

/** A copy of the stays that a program maintains by following changes. */
export class Copy {
  readonly rows = new Map<string, Row>();

  /** @param propertyIds the properties whose stays it keeps. */
  constructor(
    readonly name: string,
    private readonly propertyIds: ReadonlySet<string>,
  ) {}

  keep({ id, propertyId, version, status, checkInDate, checkOutDate, unitId }: Row & { propertyId: string }): void {
    if (!this.propertyIds.has(propertyId) || (this.rows.get(id)?.version ?? 0) >= version) return;
    this.rows.set(id, { id, version, status, checkInDate, checkOutDate, unitId });
  }

  keepOf({ subject, data }: Event): void {
    if (subject.type === 'reservation') this.keep(data as unknown as Parameters<Copy['keep']>[0]);
  }

  /** The ids of the stays that differ, and of those that only one side has. */
  differencesFrom(other: Copy): string[] {
    const ids = new Set([...this.rows.keys(), ...other.rows.keys()]);
    return [...ids].filter((id) => JSON.stringify(this.rows.get(id)) !== JSON.stringify(other.rows.get(id)));
  }
}

/** Programs that maintain copies, each in another way, until they are stopped. */
export class Followers {
  readonly copies: Copy[] = [];
  private readonly stopping = new AbortController();
  private readonly ended: Promise<void>[] = [];
  private readonly signal = this.stopping.signal;
  private server: Server | undefined;

  constructor(
    private readonly pos: Client,
    private readonly propertyIds: ReadonlySet<string>,
  ) {}

  /** Everything that exists now. */
  async everything(): Promise<Copy> {
    const copy = new Copy('everything', this.propertyIds);
    for await (const stay of this.pos.listReservations.all()) copy.keep(stay);
    return copy;
  }

  /** Polls for what has changed since the latest change that it has seen. */
  byUpdatedSince(since: string): void {
    this.follow('updatedSince', async (copy) => {
      let updatedSince = since;
      for (; ; await this.pause()) {
        for await (const stay of this.pos.listReservations.all({ updatedSince }, { signal: this.signal })) {
          copy.keep(stay);
          if (stay.updatedAt > updatedSince) updatedSince = stay.updatedAt;
        }
      }
    });
  }

  byFeed(cursor: string): void {
    this.follow('feed', async (copy) => {
      const options = { signal: this.signal, pollSeconds: pollMs / 1_000 };
      for await (const event of this.pos.followEvents({ cursor }, options)) copy.keepOf(event);
    });
  }

  /** Reads the stream, and reconnects after the last event that it has seen whenever the stream ends. */
  byStream(lastEventId: string): void {
    let last = lastEventId;
    this.follow('stream', async (copy) => {
      for (; ; await this.pause()) {
        try {
          for await (const event of this.pos.streamEvents({ lastEventId: last }, { signal: this.signal })) {
            copy.keepOf(event);
            last = event.id;
          }
        } catch (error) {
          if (!isLost(error)) throw error;
        }
      }
    });
  }

  /** A server that receives deliveries, and its endpoint. */
  async byWebhook(verify: typeof TheClient.verifyWebhook, eventTypes: string[]): Promise<void> {
    const copy = new Copy('webhook', this.propertyIds);
    let secret = '';
    const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      try {
        copy.keepOf(verify({ headers: request.headers, body: Buffer.concat(await request.toArray()), secret }));
        response.writeHead(204).end();
      } catch {
        response.writeHead(400).end();
      }
    };
    const server = createServer((request, response) => void take(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
    ({ secret } = (await this.pos.createWebhookEndpoint({ url, eventTypes })).data);
    this.server = server;
    this.copies.push(copy);
  }

  /** @throws the error that ended one of them before. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.server?.closeAllConnections();
    this.server?.close();
    await Promise.all(this.ended);
  }

  private follow(name: string, keep: (copy: Copy) => Promise<void>): void {
    const copy = new Copy(name, this.propertyIds);
    this.copies.push(copy);
    const ended = keep(copy).catch((error: unknown) => {
      if (!this.signal.aborted) throw error;
    });
    ended.catch(() => undefined);
    this.ended.push(ended);
  }

  private pause = (): Promise<void> => pause(pollMs, undefined, { signal: this.signal });
}

const pollMs = 300;

/** Streams that break off reject with a TypeError of fetch. */
const isLost = (error: unknown): boolean => error instanceof TypeError || (error as Error).name === 'ConnectionError';
