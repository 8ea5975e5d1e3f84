import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { loopTime } from '#loop-time';
import type { Config } from '../config/app.config.js';
import { CONFIG } from '../config/app.config.js';
import { allRefused, refusedAt } from './shed-owners.js';

/** How often the event loop is asked for a sign of life, in milliseconds. */
const resolutionMs = 20;
const lookEveryMs = 1_000;
const nanosecondsPerMs = 1e6;
/** How many looks those who caused an overload stay refused after it: they would come back at once. */
const looksOfRest = 5;

/**
 * Whether this process has more to do than it can, and who is refused then: its event loop is late, so every answer
 * would be. First those are refused who cause it; while that does not help more and more are, and at last all.
 */
@Injectable()
export class Overload implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly delay = monitorEventLoopDelay({ resolution: resolutionMs });
  private timer?: NodeJS.Timeout;
  private wasLate = false;
  private level = 0;
  private rest = 0;
  private refused: ReadonlySet<string> = new Set();

  constructor(@Inject(CONFIG) private readonly config: Config) {}

  get refusesAll(): boolean {
    return this.level >= allRefused;
  }

  /** Whether the work of this one, such as an organization, is refused just now. */
  refuses(owner: string): boolean {
    return this.refusesAll || this.refused.has(owner);
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

  /** One long pause is no overload: it takes two seconds of them. */
  private look(): void {
    const delayMs = this.delay.percentile(99) / nanosecondsPerMs - resolutionMs;
    const isLate = delayMs > this.config.overloadDelayMs;
    if (isLate && this.wasLate) this.widen();
    else if (!isLate) this.relent();
    this.wasLate = isLate;
    this.delay.reset();
  }

  private widen(): void {
    this.level = Math.min(this.level + 1, allRefused);
    this.rest = looksOfRest;
    this.refused = refusedAt(this.level, loopTime.recent());
  }

  /** Refusing all ends with the first second that is better; the causes are refused a little longer. */
  private relent(): void {
    if (this.level > 1) {
      this.level = 1;
      this.refused = refusedAt(this.level, loopTime.recent());
    } else if (this.rest > 0) this.rest -= 1;
    else {
      this.level = 0;
      this.refused = new Set();
    }
  }
}
