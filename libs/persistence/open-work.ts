/** When each transaction of this process began, by the clock of `performance`, which cannot be set. */
export class OpenWork {
  private readonly begun = new Set<{ at: number }>();

  async during<T>(work: () => Promise<T>): Promise<T> {
    const open = { at: performance.now() };
    this.begun.add(open);
    try {
      return await work();
    } finally {
      this.begun.delete(open);
    }
  }

  /** Infinity without a transaction. A set keeps the order in which they began. */
  get oldest(): number {
    for (const { at } of this.begun) return at;
    return Number.POSITIVE_INFINITY;
  }
}
