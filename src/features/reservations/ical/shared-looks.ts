/**
 * Shared look-ups: one at a time for each key. A request during a look-up shares the next one, which sees everything
 * done before the request.
 */
export class SharedLooks<T> {
  private readonly underWay = new Map<string, Promise<T>>();
  private readonly next = new Map<string, Promise<T>>();

  share(key: string, look: () => Promise<T>): Promise<T> {
    const current = this.underWay.get(key);
    if (!current) return this.begin(key, look);
    const known = this.next.get(key);
    if (known) return known;
    const begin = (): Promise<T> => {
      this.next.delete(key);
      return this.begin(key, look);
    };
    const next = current.then(begin, begin);
    this.next.set(key, next);
    return next;
  }

  private begin(key: string, look: () => Promise<T>): Promise<T> {
    const looking = look().finally(() => this.underWay.delete(key));
    this.underWay.set(key, looking);
    return looking;
  }
}
