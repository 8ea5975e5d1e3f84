/**
 * Shared lookups: one at a time for each key. A request during a lookup shares the next one, which sees everything
 * done before the request.
 */
export class SharedLookups<T> {
  private readonly inFlight = new Map<string, Promise<T>>();
  private readonly next = new Map<string, Promise<T>>();

  share(key: string, lookUp: () => Promise<T>): Promise<T> {
    const current = this.inFlight.get(key);
    if (!current) return this.begin(key, lookUp);
    const known = this.next.get(key);
    if (known) return known;
    const begin = (): Promise<T> => {
      this.next.delete(key);
      return this.begin(key, lookUp);
    };
    const next = current.then(begin, begin);
    this.next.set(key, next);
    return next;
  }

  private begin(key: string, lookUp: () => Promise<T>): Promise<T> {
    const running = lookUp().finally(() => this.inFlight.delete(key));
    this.inFlight.set(key, running);
    return running;
  }
}
