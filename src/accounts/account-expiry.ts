import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { SystemDatabase } from '#system-database';
import { idleMs } from './session.js';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** What has no more use, and for how long after the moment in `column` it is kept. */
const kept = [
  { table: 'sessions', column: 'expires_at', forMs: 0 },
  { table: 'sessions', column: 'last_seen_at', forMs: idleMs },
  { table: 'attempts', column: 'last_at', forMs: dayMs },
  { table: 'mailed_links', column: 'expires_at', forMs: dayMs },
  { table: 'mails', column: 'settled_at', forMs: 30 * dayMs },
] as const;

/** Deletes what has expired, once an hour; nothing relies on it, for whatever has expired is not looked at any more. */
@Injectable()
export class AccountExpiry implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(AccountExpiry.name);
  private timer?: NodeJS.Timeout;

  constructor(private readonly database: SystemDatabase) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.sweep().catch((error: unknown) => this.log.warn({ err: error }, 'What expired was not deleted this time'));
    }, hourMs);
    this.timer.unref();
  }

  beforeApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  async sweep(): Promise<void> {
    const now = Date.now();
    for (const { table, column, forMs } of kept) {
      await this.database.rows(`delete from ${table} where ${column} <= $1`, [new Date(now - forMs).toISOString()]);
    }
  }
}
