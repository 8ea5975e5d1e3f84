/**
 * How many places of a lane each organization uses in this process. An organization may have as many jobs in progress
 * as there are free places: a single organization has half of the lane, two have a third each, and one place always
 * stays free for the next (the dynamic thresholds with which switches share a buffer).
 */
export class Places {
  private readonly ofOwner = new Map<string, number>();
  private taken = 0;

  constructor(private readonly all: number) {}

  /** Jobs without an organization count against nobody. */
  mayTake(owner: string | undefined): boolean {
    return owner === undefined || this.of(owner) < this.all - this.taken;
  }

  take(owner: string | undefined): void {
    this.taken += 1;
    if (owner !== undefined) this.ofOwner.set(owner, this.of(owner) + 1);
  }

  leave(owner: string | undefined): void {
    this.taken -= 1;
    if (owner === undefined) return;
    if (this.of(owner) > 1) this.ofOwner.set(owner, this.of(owner) - 1);
    else this.ofOwner.delete(owner);
  }

  private of(owner: string): number {
    return this.ofOwner.get(owner) ?? 0;
  }
}
