import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';

/** The outcome of one request. */
export interface Attempt {
  /** By `performance.now()`. */
  startedAt: number;
  endedAt: number;
  /** None where the connection ended before an answer. */
  status?: number;
  retryAfter?: string;
  /** Of the key's limit in this minute. */
  remaining: number;
  text: string;
}

type Fields = Record<string, string>;

const isPassing = ({ status, text }: Attempt): boolean =>
  !status || !text || status >= 500 || [409, 429].includes(status);

/** A caller of the service that asks until it is answered, of each node in turn; the idempotency key makes that once. */
export class Client {
  /** All requests so far, without what was answered: texts of a megabyte each would keep this program collecting garbage. */
  readonly attempts: Omit<Attempt, 'text'>[] = [];
  private turn = 0;

  constructor(
    private readonly nodes: readonly { url: string }[],
    readonly key: string,
  ) {}

  /** The same with a key of its own, which these many requests a minute suffice. */
  async keyed(ratePerMinute = 60_000): Promise<Client> {
    const { key } = await this.send('POST', '/api-keys', { name: 'Faults', scopes: ['*'], ratePerMinute });
    return new Client(this.nodes, key as string);
  }

  /** @returns `data` of the answer. */
  async send(method: string, path: string, body: object): Promise<Fields> {
    const idempotencyKey = randomUUID();
    for (;;) {
      const attempt = await this.once(method, path, body, idempotencyKey);
      if (attempt.status && attempt.status < 300 && attempt.text)
        return (JSON.parse(attempt.text) as { data: Fields }).data;
      if (!isPassing(attempt)) throw new Error(`${method} ${path}: ${attempt.status} ${attempt.text}`);
      await wait(100);
    }
  }

  async once(method: string, path: string, body?: object, idempotencyKey?: string): Promise<Attempt> {
    const startedAt = performance.now();
    const node = this.nodes[(this.turn += 1) % this.nodes.length] as { url: string };
    const response = await fetch(node.url + path, {
      method,
      headers: {
        authorization: `Bearer ${this.key}`,
        ...(body && { 'content-type': 'application/json' }),
        ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
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
    };
    this.attempts.push(attempt);
    return { ...attempt, text: text ?? '' };
  }
}
