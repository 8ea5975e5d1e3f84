import DataLoader from 'dataloader';

/** How long a query may delay waiting lookups, in ms, so that they do not wait for a connection that hangs. */
const patienceMs = 20;

/**
 * Lookups that share queries: those that arrive while a query is in flight are sent together when it returns. Nothing
 * is cached, and a query starts after all its callers have asked, so each sees the state of that moment or later.
 */
export class BatchLoader<Key, Found> {
  private readonly loader: DataLoader<Key, Found>;
  private ahead?: Promise<unknown>;

  /** @param find returns results in the order of the keys. */
  constructor(find: (keys: readonly Key[]) => Promise<Found[]>) {
    this.loader = new DataLoader((keys) => this.follow(find(keys)), {
      cache: false,
      batchScheduleFn: (send) => {
        if (this.ahead) void this.ahead.then(send);
        else setImmediate(send);
      },
    });
  }

  load(key: Key): Promise<Found> {
    return this.loader.load(key);
  }

  private follow(query: Promise<Found[]>): Promise<Found[]> {
    const ahead = new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, patienceMs);
      const done = (): void => {
        clearTimeout(timer);
        resolve();
      };
      void query.finally(done).catch(() => undefined);
    }).then(() => {
      if (this.ahead === ahead) this.ahead = undefined;
    });
    this.ahead = ahead;
    return query;
  }
}
