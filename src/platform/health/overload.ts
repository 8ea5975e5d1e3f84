import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { loopTime, OverloadDelay } from '#loop-time';
import type { Config } from '../config/app.config.js';
import { CONFIG } from '../config/app.config.js';
import { allRefused, refusedAt } from './shed-owners.js';

const lookEveryMs = 1_000;
/** For how many looks the causes of an overload stay rejected after it, because they would return immediately. */
const looksOfRest = 5;

/**
 * Whether this process is overloaded, and who is rejected then: its event loop is late, so every response would be. The
 * causes are rejected first; while that does not help, more are, and finally all.
 */
@Injectable()
export class Overload implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly delay: OverloadDelay;
  private timer?: NodeJS.Timeout;
  private wasLate = false;
  private level = 0;
  private rest = 0;
  private refused: ReadonlySet<string> = new Set();

  constructor(@Inject(CONFIG) private readonly config: Config) {
    this.delay = new OverloadDelay(config.overloadDelayMs);
  }

  get refusesAll(): boolean {
    return this.level >= allRefused;
  }

  /** Whether work of this owner, such as an organization, is rejected now. */
  refuses(owner: string): boolean {
    return this.refusesAll || this.refused.has(owner);
  }

  onApplicationBootstrap(): void {
    if (this.config.overloadDelayMs === 0) return;
    this.delay.start();
    this.timer = setInterval(() => this.look(), lookEveryMs).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
    this.delay.stop();
  }

  /** One long pause is not an overload: it takes two consecutive late seconds. */
  private look(): void {
    const isLate = this.delay.wasTooLate();
    if (isLate && this.wasLate) this.widen();
    else if (!isLate) this.relent();
    this.wasLate = isLate;
  }

  private widen(): void {
    this.level = Math.min(this.level + 1, allRefused);
    this.rest = looksOfRest;
    this.refused = refusedAt(this.level, loopTime.recent());
  }

  /** Rejecting all requests ends with the first better second; the causes are rejected a little longer. */
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
