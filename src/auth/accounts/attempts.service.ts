import { Injectable } from '@nestjs/common';
import { ServiceError } from '#errors';
import { doubling } from '#jobs';
import { Keyring } from '#secrets';
import { SystemDatabase } from '#system-database';

interface Budget {
  /** Failures before the first wait. */
  free: number;
  /** The longest wait. It slows an attacker down without ever locking the owner out. */
  longestMs: number;
}

const budgets = {
  account: { free: 5, longestMs: 60_000 },
  /**
   * Counts for a device on which the person has signed in before. Wrong passwords from elsewhere do not count there.
   */
  device: { free: 5, longestMs: 60_000 },
  ip: { free: 30, longestMs: 15 * 60_000 },
  code: { free: 5, longestMs: 15 * 60_000 },
  mail: { free: 3, longestMs: 60 * 60_000 },
} satisfies Record<string, Budget>;

export type AttemptKind = keyof typeof budgets;
export type Attempt = readonly [kind: AttemptKind, who: string];

/** Failures are forgotten after this long without another one. */
const forgetMs = 60 * 60_000;
const firstWaitMs = 1_000;

/**
 * Slows down repeated failures: after a few free ones, each failure doubles the wait for the next try. An attempt
 * counts as failed from the start and is taken back when it succeeds, so parallel guesses cannot slip through.
 *
 * The windows of `#limits` and of `SlidingWindowsRepository` cannot express this: they allow a fixed number within any
 * period and then everyone waits for the oldest to pass, so an attacker who keeps a window full would lock the owner
 * out. Here the wait depends on the failures in a row and is short for an account. Several counts are taken in one
 * transaction, all or none, and a success resets them.
 */
@Injectable()
export class AttemptsService {
  constructor(
    private readonly database: SystemDatabase,
    private readonly keyring: Keyring,
  ) {}

  /** @throws ServiceError 429 with Retry-After while any of them has to wait; in that case none of them counts. */
  async begin(attempts: readonly Attempt[]): Promise<void> {
    await this.database.transaction(async () => {
      for (const attempt of attempts) await this.count(attempt);
    });
  }

  /** Resets the account's count after a success, and gives the address back what this attempt used. */
  async succeeded(attempts: readonly Attempt[]): Promise<void> {
    for (const attempt of attempts) {
      const [kind] = attempt;
      await this.database.rows(
        kind === 'ip'
          ? `update attempts set failures = greatest(failures - 1, 0), next_at = 'epoch' where key = $1`
          : 'delete from attempts where key = $1',
        [this.keyOf(attempt)],
      );
    }
  }

  private async count(attempt: Attempt): Promise<void> {
    const { free, longestMs } = budgets[attempt[0]];
    const key = this.keyOf(attempt);
    const now = Date.now();
    // This update changes nothing. It locks the row, which a concurrent success may be deleting.
    const [row] = (await this.database.rows(
      `insert into attempts (key, failures, last_at, next_at) values ($1, 0, $2, $2)
       on conflict (key) do update set failures = attempts.failures returning failures, last_at, next_at`,
      [key, new Date(now).toISOString()],
    )) as [{ failures: number; last_at: string; next_at: string }];
    // The cap holds even if the clock was set back.
    const waitMs = row.failures < free ? 0 : Math.min(Date.parse(row.next_at) - now, longestMs);
    if (waitMs > 0) throw tooManyAttempts(Math.ceil(waitMs / 1_000));
    const failures = (now - Date.parse(row.last_at) > forgetMs ? 0 : row.failures) + 1;
    const delayMs = failures < free ? 0 : doubling(firstWaitMs, longestMs)(failures - free + 1);
    await this.database.rows('update attempts set failures = $2, last_at = $3, next_at = $4 where key = $1', [
      key,
      failures,
      new Date(now).toISOString(),
      new Date(now + delayMs).toISOString(),
    ]);
  }

  private keyOf([kind, who]: Attempt): Buffer {
    return this.keyring.hash(`attempt ${kind} ${who.toLowerCase()}`);
  }
}

const tooManyAttempts = (seconds: number): ServiceError =>
  new ServiceError({
    status: 429,
    message: `Too many attempts. Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
    headers: { 'Retry-After': String(seconds) },
  });
