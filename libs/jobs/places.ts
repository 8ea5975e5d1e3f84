/**
 * Who has how many places of a lane in this process. An organization may have as many pieces in progress as there are
 * places left free: alone it has half of the lane, two have a third each, and however many flood it, a place is left
 * for the next (the dynamic thresholds by which switches share a buffer).
 */
export class Places {
  private readonly ofOwner = new Map<string, number>();
  private taken = 0;

  constructor(private readonly all: number) {}

  /** What belongs to no organization is no flood of anybody's. */
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
