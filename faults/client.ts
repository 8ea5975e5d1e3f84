import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';

/** The outcome of one request. */
export interface Attempt {
  /** By `performance.now()`. */
  startedAt: number;
  endedAt: number;
  /** Undefined if the connection ended before a response. */
  status?: number;
  retryAfter?: string;
  /** Of the key's limit in this minute. */
  remaining: number;
  /** The end of that minute, in Unix seconds. */
  reset: number;
  text: string;
}

/** Longer than any outage of a case: what is rejected for this long will be rejected forever. */
const longestMs = 10 * 60_000;

type Fields = Record<string, string>;

const isPassing = ({ status, text }: Attempt): boolean =>
  !status || !text || status >= 500 || [409, 429].includes(status);

const isSuccess = (status = 0): boolean => status >= 200 && status < 300;
/** The code of a rejection; a proxy or a dying process may return something else. */
const codeIn = (text: string): string => /"code":"(\w+)"/.exec(text)?.[1] ?? '';

/**
 * A caller of the service that repeats a request until it succeeds, at each node in turn; the idempotency key prevents
 * duplicates.
 */
export class Client {
  /**
   * All requests so far, without response bodies: texts of a megabyte each would keep this program collecting garbage.
   */
  readonly attempts: Omit<Attempt, 'text'>[] = [];
  private turn = 0;
  private answers = 0;

  constructor(
    private readonly nodes: readonly { url: string }[],
    readonly key: string,
    /** The key's id, if another client created it. */
    readonly keyId?: string,
    /** The pause of each caller after a response, so that several leave the machine some time. */
    public pauseMs = 0,
  ) {}

  /** Requests that succeeded. */
  get answered(): number {
    return this.answers;
  }

  /** The same with a key of its own, whose limit is this many requests a minute. */
  async keyed(ratePerMinute = 60_000): Promise<Client> {
    const { key, id } = await this.send('POST', '/api-keys', { name: 'Faults', scopes: ['*'], ratePerMinute });
    return new Client(this.nodes, key as string, id, this.pauseMs);
  }

  /** @returns `data` of the response. */
  async send(method: string, path: string, body: object): Promise<Fields> {
    return (await this.try(method, path, body, [])) as Fields;
  }

  /** @returns undefined if it is rejected with one of these codes. */
  async try(
    method: string,
    path: string,
    body: object,
    codes: readonly string[],
    headers: Fields = {},
  ): Promise<Fields | undefined> {
    const all = { ...headers, 'idempotency-key': randomUUID() };
    const { text, status } = await this.ask(method, path, body, all, codes);
    return isSuccess(status) ? (JSON.parse(text) as { data: Fields }).data : undefined;
  }

  async read(path: string): Promise<Fields> {
    return (JSON.parse((await this.ask('GET', path)).text) as { data: Fields }).data;
  }

  /** @returns undefined if there is no such record. */
  async find(path: string): Promise<Fields | undefined> {
    const { status, text } = await this.ask('GET', path, undefined, undefined, ['NOT_FOUND']);
    return isSuccess(status) ? (JSON.parse(text) as { data: Fields }).data : undefined;
  }

  /** All pages. */
  async list<Item>(path: string): Promise<Item[]> {
    const items: Item[] = [];
    for (let cursor = ''; ;) {
      const { text } = await this.ask('GET', `${path}&limit=100${cursor}`);
      const { data, meta } = JSON.parse(text) as { data: Item[]; meta: { pagination: { nextCursor: string | null } } };
      items.push(...data);
      if (meta.pagination.nextCursor === null) return items;
      cursor = `&cursor=${encodeURIComponent(meta.pagination.nextCursor)}`;
    }
  }

  /** Repeats the request until it succeeds, or is rejected with one of these codes. */
  private async ask(
    method: string,
    path: string,
    body?: object,
    headers?: Fields,
    codes: readonly string[] = [],
  ): Promise<Attempt> {
    for (const from = performance.now(); ;) {
      const attempt = await this.once(method, path, body, headers);
      if (attempt.text && (isSuccess(attempt.status) || codes.includes(codeIn(attempt.text)))) {
        this.answers += 1;
        if (this.pauseMs > 0) await wait(this.pauseMs);
        return attempt;
      }
      const isOver = performance.now() - from > longestMs;
      if (isOver || !isPassing(attempt)) throw new Error(`${method} ${path}: ${attempt.status} ${attempt.text}`);
      await wait(100);
    }
  }

  async once(method: string, path: string, body?: object, headers?: Fields): Promise<Attempt> {
    const startedAt = performance.now();
    const node = this.nodes[(this.turn += 1) % this.nodes.length] as { url: string };
    const response = await fetch(node.url + path, {
      method,
      headers: {
        authorization: `Bearer ${this.key}`,
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(15_000),
    }).catch(() => undefined);
    const text = await response?.text().catch(() => undefined);
    const attempt = {
      startedAt,
      endedAt: performance.now(),
      status: text === undefined ? undefined : response?.status,
      retryAfter: response?.headers.get('retry-after') ?? undefined,
      remaining: Number(response?.headers.get('x-ratelimit-remaining')),
      reset: Number(response?.headers.get('x-ratelimit-reset')),
    };
    this.attempts.push(attempt);
    return { ...attempt, text: text ?? '' };
  }
}
