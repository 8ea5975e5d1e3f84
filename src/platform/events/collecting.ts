import { AsyncLocalStorage } from 'node:async_hooks';
import type { Happening } from './happening.js';

/** What was recorded, and what will follow in the background. */
export interface Collected {
  readonly happened: Happening[];
  readonly foreseen: { type: string; count: number }[];
}

/** Keeps what is recorded for those who wait for the work that records it. */
export class Collecting {
  private readonly collected = new AsyncLocalStorage<Collected>();
  private readonly following = new AsyncLocalStorage<boolean>();

  /** What collects around it gets the same, unless the work fails. */
  async during<T>(work: () => Promise<T>): Promise<{ result: T } & Collected> {
    const collected: Collected = { happened: [], foreseen: [] };
    const result = await this.collected.run(collected, work);
    const around = this.collected.getStore();
    for (const one of collected.happened) around?.happened.push(one);
    around?.foreseen.push(...collected.foreseen);
    return { result, ...collected };
  }

  happened(happened: readonly Happening[]): void {
    this.collected.getStore()?.happened.push(...happened);
  }

  foreseen(type: string, count: number): void {
    if (count > 0) this.collected.getStore()?.foreseen.push({ type, count });
  }

  follow<T>(work: () => Promise<T>): Promise<T> {
    return this.following.run(true, work);
  }

  /** Whether the work follows from another change. */
  get isFollowing(): boolean {
    return this.following.getStore() ?? false;
  }
}
