/** The actions of concurrent clients and their responses, each with its start and end, checked as the history grows. */
export interface Began {
  /** What no operation that starts now may miss. */
  atLeast: number;
}

/**
 * A register with many writers, whose responses contain its version. The versions are the order in which writes took
 * effect, so it is linearizable if each version has one value, which somebody wrote, and no response has an older
 * version than a response that ended before the request started.
 */
export class RegisterHistory {
  readonly faults = {
    'stale reads': 0,
    'writes that took the place of another': 0,
    'versions with two values': 0,
    'values that nobody wrote': 0,
    'rejected writes that took effect': 0,
  };
  private readonly values = new Map<number, string>();
  private readonly writtenVersions = new Set<number>();
  private readonly sent = new Set<string>();
  private readonly rejected = new Set<string>();
  private newest = 0;

  begin(): Began {
    return { atLeast: this.newest };
  }

  beginWrite(value: string): Began {
    this.sent.add(value);
    return this.begin();
  }

  /** @param expected the version that the writer named, if any. */
  wrote(began: Began, value: string, version: number, expected?: number): void {
    const isTaken = this.writtenVersions.has(version) || version <= began.atLeast;
    if (isTaken || (expected !== undefined && version !== expected + 1)) {
      this.faults['writes that took the place of another'] += 1;
    }
    this.writtenVersions.add(version);
    this.note(value, version);
  }

  refused(value: string): void {
    this.rejected.add(value);
  }

  read({ atLeast }: Began, value: string, version: number): void {
    if (version < atLeast) this.faults['stale reads'] += 1;
    this.note(value, version);
  }

  /** When everything has ended: no rejected value may ever have been seen. */
  end(): void {
    const seen = new Set(this.values.values());
    this.faults['rejected writes that took effect'] = [...this.rejected].filter((value) => seen.has(value)).length;
  }

  private note(value: string, version: number): void {
    if ((this.values.get(version) ?? value) !== value) this.faults['versions with two values'] += 1;
    if (!this.sent.has(value)) this.faults['values that nobody wrote'] += 1;
    this.values.set(version, value);
    this.newest = Math.max(this.newest, version);
  }
}

/**
 * A set that only grows: each listing contains everything that was added, or listed to anybody, before it started, and
 * nothing that nobody had requested to add when it ended; nothing twice.
 */
export class SetHistory {
  readonly faults = { 'listings without an element': 0, 'elements that nobody added': 0, 'elements listed twice': 0 };
  private readonly asked = new Set<string>();
  private readonly known = new Set<string>();

  get size(): number {
    return this.known.size;
  }

  add(element: string): void {
    this.asked.add(element);
  }

  added(element: string): void {
    this.known.add(element);
  }

  /** @returns what a listing that starts now must contain. */
  beginListing(): ReadonlySet<string> {
    return new Set(this.known);
  }

  listed(required: ReadonlySet<string>, elements: readonly string[]): void {
    const found = new Set(elements);
    if ([...required].some((element) => !found.has(element))) this.faults['listings without an element'] += 1;
    if (elements.some((element) => !this.asked.has(element))) this.faults['elements that nobody added'] += 1;
    if (found.size < elements.length) this.faults['elements listed twice'] += 1;
    for (const element of found) this.known.add(element);
  }
}
