/** What takes longer waits for something other than the event loop. */
const holdsMs = 100;

/** The requests in progress of each owner, such as an organization, without those that take long. */
export class InProgress {
  /** When each of them started, in their order. */
  private readonly begun = new Map<string, Set<{ at: number }>>();

  constructor(private readonly now = (): number => performance.now()) {}

  /** @returns a function to call when it ends. */
  begin(owner: string): () => void {
    const request = { at: this.now() };
    const begun = this.begun.get(owner) ?? new Set();
    this.begun.set(owner, begun.add(request));
    return () => {
      begun.delete(request);
      this.of(owner);
    };
  }

  of(owner: string): number {
    const begun = this.begun.get(owner);
    if (!begun) return 0;
    for (const request of begun) {
      if (this.now() - request.at < holdsMs) break;
      begun.delete(request);
    }
    if (begun.size === 0) this.begun.delete(owner);
    return begun.size;
  }

  /** Whether anybody but this owner has any. */
  ofOthers(owner: string): boolean {
    const owners = [...this.begun.keys()];
    return owners.some((other) => other !== owner && this.of(other) > 0);
  }
}

/** One per process, because a process has one loop. */
export const requestsInProgress = new InProgress();

/** Those whose credentials are being looked up: until then they may be of anybody. */
export const arrivingRequests = new InProgress();
