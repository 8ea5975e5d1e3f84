import { availableParallelism } from 'node:os';
import { Global, Inject, Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import { BackgroundThreads, Threads } from '#threads';
import { Metrics } from '../platform/metrics/metrics.js';

const cores = availableParallelism();

/** For requests: a write that waits holds a connection of the database, so few may wait, and not for long. */
const forRequests = {
  threads: Math.min(4, Math.max(2, cores - 1)),
  megabytes: 128,
  mostWaiting: 24,
  mostWaitingOfOwner: 6,
  waitMs: 5_000,
};

/** For what is read from elsewhere, such as calendars, which may be large. */
const inBackground = {
  threads: cores > 2 ? 2 : 1,
  megabytes: 256,
  mostWaiting: 200,
  mostWaitingOfOwner: 20,
  waitMs: 20_000,
};

@Injectable()
class ThreadsEnd implements OnApplicationShutdown {
  constructor(
    @Inject(Threads) private readonly threads: Threads,
    @Inject(BackgroundThreads) private readonly background: BackgroundThreads,
    metrics: Metrics,
  ) {
    metrics.beforeReading(() => {
      metrics.set('threadsWaiting', ['requests'], threads.waiting);
      metrics.set('threadsWaiting', ['background'], background.waiting);
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.threads.close(), this.background.close()]);
  }
}

@Global()
@Module({
  providers: [
    {
      provide: Threads,
      inject: [Metrics],
      useFactory: (metrics: Metrics) => new Threads(forRequests, (...ended) => metrics.count('heavyWork', ended)),
    },
    {
      provide: BackgroundThreads,
      inject: [Metrics],
      useFactory: (metrics: Metrics) =>
        new BackgroundThreads(inBackground, (...ended) => metrics.count('heavyWork', ended)),
    },
    ThreadsEnd,
  ],
  exports: [Threads, BackgroundThreads],
})
export class ThreadsModule {}
