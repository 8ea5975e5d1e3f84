export interface Turn<T> {
  /** Whose item it is, such as an organization's id. */
  owner: string;
  item: T;
}

/**
 * Items that wait their turn: owners take turns (round robin), the items of one owner come in the order in which they
 * were added, and no owner has more than a bound of them in progress. It only decides the order and starts nothing.
 */
export class FairQueue<T> {
  /** Only owners with waiting items, in the order of their turns. */
  private readonly turns = new Map<string, T[]>();
  private readonly running = new Map<string, number>();
  private count = 0;

  /** @param mostInProgress how many items of one owner may be in progress at a time. */
  constructor(private readonly mostInProgress: number) {}

  /** How many items wait, of all owners. */
  get waiting(): number {
    return this.count;
  }

  waitingOf(owner: string): number {
    return this.turns.get(owner)?.length ?? 0;
  }

  inProgressOf(owner: string): number {
    return this.running.get(owner) ?? 0;
  }

  add(owner: string, item: T): void {
    const items = this.turns.get(owner);
    if (items) items.push(item);
    else this.turns.set(owner, [item]);
    this.count += 1;
  }

  /**
   * Takes the next item, which is in progress until `done(owner)`.
   *
   * @returns undefined when nothing waits, or when each owner of a waiting item has as many in progress as allowed.
   */
  take(): Turn<T> | undefined {
    for (const [owner, items] of this.turns) {
      const inProgress = this.inProgressOf(owner);
      if (inProgress >= this.mostInProgress) continue;
      const item = items.shift() as T;
      this.count -= 1;
      // Deleted and set again, an owner comes after all others.
      this.turns.delete(owner);
      if (items.length > 0) this.turns.set(owner, items);
      this.running.set(owner, inProgress + 1);
      return { owner, item };
    }
    return undefined;
  }

  /** The item that was added last by the owner with the most waiting items: the first to give way. */
  lastOfMost(): Turn<T> | undefined {
    let most: [owner: string, items: T[]] | undefined;
    for (const turn of this.turns) if (turn[1].length > (most?.[1].length ?? 0)) most = turn;
    return most && { owner: most[0], item: most[1].at(-1) as T };
  }

  /** An item of this owner is no longer in progress. */
  done(owner: string): void {
    const inProgress = this.inProgressOf(owner) - 1;
    if (inProgress > 0) this.running.set(owner, inProgress);
    else this.running.delete(owner);
  }

  /** Removes an item that is no longer wanted; @returns false where it is not waiting. */
  remove(owner: string, item: T): boolean {
    const items = this.turns.get(owner) ?? [];
    const index = items.indexOf(item);
    if (index < 0) return false;
    items.splice(index, 1);
    this.count -= 1;
    if (items.length === 0) this.turns.delete(owner);
    return true;
  }
}
