import DataLoader from 'dataloader';

/** How long a query may hold up those that gather behind it, in ms: a connection that hangs is not waited for. */
const patienceMs = 20;

/**
 * Look-ups that share queries: those that come while one is under way go out together when it is back. Nothing is
 * cached, and a query starts after all who share it have asked, so each is told the state of then or later.
 */
export class GatheringLoader<Key, Found> {
  private readonly loader: DataLoader<Key, Found>;
  private ahead?: Promise<unknown>;

  /** @param find answers in the order of the keys. */
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
