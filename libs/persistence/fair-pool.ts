import type { Pool, PoolClient } from 'pg';
import { FairQueue } from '#fair-queue';
import { loopTime } from '#loop-time';

/** Used if the pool has no connection timeout. */
const longestMs = 60_000;

interface Waiting {
  deadline: number;
  lend: (client: Promise<PoolClient>) => void;
}

/**
 * Lends the connections of a pool to organizations in turn. One organization has a limited number of them, and
 * everybody else who waits is served before its next request. The pool itself lends in order of arrival, so it must
 * never have anybody waiting.
 */
export class FairPool {
  private readonly queue: FairQueue<Waiting>;
  private lent = 0;

  /** @param mostOfOne how many connections one organization may have at a time. */
  constructor(
    private readonly pool: Pool,
    mostOfOne: number,
  ) {
    this.queue = new FairQueue(mostOfOne);
  }

  get waiting(): number {
    return this.queue.waiting;
  }

  inUseBy(owner: string): number {
    return this.queue.inProgressOf(owner);
  }

  /**
   * @param owner the organization whose turn is used; omitted for work that belongs to no organization.
   * @throws if no connection is free within the pool's connection timeout.
   */
  async connect(owner = ''): Promise<PoolClient> {
    const waitMs = this.pool.options.connectionTimeoutMillis || longestMs;
    const deadline = performance.now() + waitMs;
    return await new Promise((resolve, reject) => {
      const giveUp = (): void => {
        if (this.queue.remove(owner, waiting)) reject(new Error(`No response within ${waitMs} ms`));
      };
      // Connections that were returned while the process was busy are lent first.
      const timer = setTimeout(() => setImmediate(giveUp), waitMs);
      const waiting: Waiting = {
        deadline,
        lend: (client) => {
          clearTimeout(timer);
          resolve(client);
        },
      };
      this.queue.add(owner, waiting);
      this.lendNext();
    });
  }

  private lendNext(): void {
    while (this.lent < (this.pool.options.max ?? 1)) {
      const turn = this.queue.take();
      if (!turn) return;
      this.lent += 1;
      turn.item.lend(this.lend(turn.owner, turn.item.deadline));
    }
  }

  private async lend(owner: string, deadline: number): Promise<PoolClient> {
    const connecting = this.pool.connect();
    try {
      const client = await inTime(connecting, deadline);
      return this.counted(client, owner);
    } catch (error) {
      this.takeBack(owner);
      // A connection that is created too late serves another caller.
      connecting.then(
        (client) => client.release(),
        () => undefined,
      );
      throw error;
    }
  }

  private counted(client: PoolClient, owner: string): PoolClient {
    loopTime.serves(client, owner || undefined);
    const release = client.release.bind(client);
    return Object.assign(client, {
      release: (error?: Error | boolean): void => {
        release(error);
        this.takeBack(owner);
      },
    });
  }

  private takeBack(owner: string): void {
    this.lent -= 1;
    this.queue.done(owner);
    this.lendNext();
  }
}

/** A new connection has the rest of the time that its caller may wait, and at least a little. */
async function inTime(connecting: Promise<PoolClient>, deadline: number): Promise<PoolClient> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const giveUp = (): void => reject(new Error('timeout exceeded when trying to connect'));
    timer = setTimeout(() => setImmediate(giveUp), Math.max(0, deadline - performance.now()));
  });
  return await Promise.race([connecting, late]).finally(() => clearTimeout(timer));
}
