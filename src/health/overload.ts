import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Config } from '../app.config.js';
import { CONFIG } from '../app.config.js';

/** How often the event loop is asked for a sign of life, in milliseconds. */
const resolutionMs = 20;
const lookEveryMs = 1_000;
const nanosecondsPerMs = 1e6;

/** Whether this process has more to do than it can: its event loop is late, so every answer would be. */
@Injectable()
export class Overload implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly delay = monitorEventLoopDelay({ resolution: resolutionMs });
  private timer?: NodeJS.Timeout;
  private wasLate = false;
  private isNow = false;

  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /** One long pause is no overload: it takes two seconds of them, and ends with one that is better. */
  get now(): boolean {
    return this.isNow;
  }

  onApplicationBootstrap(): void {
    if (this.config.overloadDelayMs === 0) return;
    this.delay.enable();
    this.timer = setInterval(() => this.look(), lookEveryMs).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
    this.delay.disable();
  }

  private look(): void {
    const delayMs = this.delay.percentile(99) / nanosecondsPerMs - resolutionMs;
    const isLate = delayMs > this.config.overloadDelayMs;
    this.isNow = isLate && this.wasLate;
    this.wasLate = isLate;
    this.delay.reset();
  }
}
