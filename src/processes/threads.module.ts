import { availableParallelism } from 'node:os';
import { Global, Inject, Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import { BackgroundThreads, BodyThreads, Threads } from '#threads';
import { Metrics } from '../platform/metrics/metrics.js';

const cores = availableParallelism();

/** For requests: one that waits may hold a database connection, so few may wait, and not for long. */
const forRequests = {
  threads: Math.min(4, Math.max(2, cores - 1)),
  megabytes: 128,
  mostWaiting: 24,
  mostWaitingOfOwner: 6,
  waitMs: 5_000,
};

/** For data from other systems, such as calendars, which may be large. */
const inBackground = {
  threads: cores > 2 ? 2 : 1,
  megabytes: 256,
  mostWaiting: 200,
  mostWaitingOfOwner: 20,
  waitMs: 20_000,
};

/** For bodies of megabytes, which take a tenth of a second each. */
const forBodies = {
  threads: 1,
  megabytes: 128,
  mostWaiting: 100,
  mostWaitingOfOwner: 30,
  waitMs: 10_000,
};

@Injectable()
class ThreadsEnd implements OnApplicationShutdown {
  constructor(
    @Inject(Threads) private readonly threads: Threads,
    @Inject(BackgroundThreads) private readonly background: BackgroundThreads,
    @Inject(BodyThreads) private readonly bodies: BodyThreads,
    metrics: Metrics,
  ) {
    metrics.beforeReading(() => {
      metrics.set('threadsWaiting', ['requests'], threads.waiting);
      metrics.set('threadsWaiting', ['background'], background.waiting);
      metrics.set('threadsWaiting', ['bodies'], bodies.waiting);
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.threads.close(), this.background.close(), this.bodies.close()]);
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
    {
      provide: BodyThreads,
      inject: [Metrics],
      useFactory: (metrics: Metrics) => new BodyThreads(forBodies, (...ended) => metrics.count('heavyWork', ended)),
    },
    ThreadsEnd,
  ],
  exports: [Threads, BackgroundThreads, BodyThreads],
})
export class ThreadsModule {}
