import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from '../../client.js';
import { faultsAmong, type Load, type Verdict } from './load.js';

/** The lowest limit that a key may have. */
const perMinute = 1_000;
/** 33 in a second, of 50 that are allowed: twice the limit of a minute. */
const pauseMs = 30;

/**
 * A key that is used at both nodes, more often than it may: no minute has more places than its limit, and each is given
 * once. A Redis that was killed has forgotten the places of its minute and gives them again.
 */
export class Limits implements Load {
  readonly name = 'limits';
  /** By the life of Redis and the end of the minute: the places of accepted requests. */
  private readonly minutes = new Map<string, number[]>();
  private limited?: Client;
  private readonly asking = new Set<Promise<void>>();

  constructor(
    /** Rises when Redis ends, and again when it is back. */
    private readonly redisLife: () => number = () => 0,
  ) {}

  async prepare(client: Client): Promise<void> {
    this.limited = await client.keyed(perMinute);
  }

  async run(_client: Client, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const asked = this.ask(this.limited as Client).finally(() => this.asking.delete(asked));
      this.asking.add(asked);
      await wait(pauseMs);
    }
    await Promise.all(this.asking);
  }

  judge(): Promise<Verdict> {
    const places = [...this.minutes.values()];
    const counts = {
      'requests over the limit of a minute': sum(places.map(({ length }) => Math.max(0, length - perMinute))),
      'requests of one place in the limit': sum(places.map((of) => of.length - new Set(of).size)),
    };
    const figures = { minutes: places.length, accepted: sum(places.map(({ length }) => length)) };
    return Promise.resolve({ figures, faults: faultsAmong(counts) });
  }

  private async ask(client: Client): Promise<void> {
    const life = this.redisLife();
    const { status, reset, remaining } = await client.once('GET', '/tasks?limit=1');
    // It is unknown which life counted it.
    if (status !== 200 || life !== this.redisLife()) return;
    const minute = `${life} ${reset}`;
    this.minutes.set(minute, [...(this.minutes.get(minute) ?? []), remaining]);
  }
}

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);
