import { setTimeout as pause } from 'node:timers/promises';

/** The service counts by the minute, so a longer wait means that two clocks disagree. */
const windowMs = 60_000;

/** Waits for the next window of the rate limit when the current one is used up, instead of being rejected. */
export class Pace {
  /** When the window ends: by the service's clock, which tells windows apart, and by ours. */
  private window = 0;
  private endsAt = 0;
  private limit = Number.POSITIVE_INFINITY;
  private remaining = Number.POSITIVE_INFINITY;

  /** Takes one request from the window, or waits for the next window if all were taken. */
  async turn(signal?: AbortSignal): Promise<void> {
    while (this.remaining <= 0 && this.endsAt > Date.now())
      await pause(this.endsAt - Date.now() + Math.random() * 500, undefined, { signal });
    if (this.endsAt <= Date.now()) [this.remaining, this.endsAt] = [this.limit, Date.now() + windowMs];
    this.remaining -= 1;
  }

  /** Reads the rate headers of a response. Responses arrive in any order: in one window, the lowest count is the latest. */
  read(headers: Headers): void {
    const [limit, remaining, window] = ['Limit', 'Remaining', 'Reset'].map((name) =>
      Number(headers.get(`X-RateLimit-${name}`) ?? Number.NaN),
    ) as [number, number, number];
    if (!(window >= this.window)) return;
    if (window > this.window) {
      const now = Date.parse(headers.get('Date') ?? '') || Date.now();
      this.endsAt = Date.now() + Math.min(Math.max(window * 1_000 - now, 0), windowMs);
      this.remaining = remaining;
    } else this.remaining = Math.min(this.remaining, remaining);
    this.window = window;
    this.limit = limit;
  }
}
