import { Controller, Get, Req } from '@nestjs/common';
import type { Request } from 'express';
import { unavailable } from '#errors';
import { SystemDatabase } from '#system-database';
import { Open } from '../http/open.js';
import { Readiness } from './readiness.js';

const databaseTimeoutMs = 1_000;
const retryAfterSeconds = 1;

interface Health {
  data: { status: 'ok' };
  meta: { requestId: string };
}

const ok = ({ context: { requestId } }: Request): Health => ({ data: { status: 'ok' }, meta: { requestId } });

/** The probes of the process manager, open to all. */
@Open({ isCounted: false })
@Controller()
export class HealthController {
  constructor(
    private readonly readiness: Readiness,
    private readonly database: SystemDatabase,
  ) {}

  /** Liveness: the process responds. A database that is down is not a reason to restart it. */
  @Get('healthz')
  live(@Req() request: Request): Health {
    return ok(request);
  }

  /** Readiness: whether requests should be sent here. */
  @Get('readyz')
  async ready(@Req() request: Request): Promise<Health> {
    if (this.readiness.draining) throw unavailable('This process is shutting down.', retryAfterSeconds);
    await this.askDatabase();
    return ok(request);
  }

  private async askDatabase(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`No response within ${databaseTimeoutMs} ms`)), databaseTimeoutMs);
    });
    try {
      await Promise.race([this.database.rows('select 1'), late]);
    } catch (error) {
      throw unavailable('The database does not respond.', retryAfterSeconds, error);
    } finally {
      clearTimeout(timer);
    }
  }
}
