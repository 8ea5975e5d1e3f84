import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import type { Caller } from '#access';
import { DueTimer, Jobs } from '#jobs';
import { TenantDatabase } from '#persistence';
import { shiftedBy, shiftTime } from '#shifted-time';
import { SystemDatabase } from '#system-database';
import { AuditService } from '../audit/audit.service.js';
import type { AdvanceClock, ClockView } from './clock.dto.js';
import { byOrTo, notForward, tooFar } from './clock.errors.js';

const followEveryMs = 250;
const mostDays = 400;
const daySeconds = 86_400;
const secondsOf = { W: 7 * daySeconds, D: daySeconds, H: 3_600, M: 60, S: 1 };

/** The time of a test environment: one row, which every process follows. */
@Injectable()
export class ClockService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(ClockService.name);
  private readonly timer = new DueTimer('the clock', followEveryMs, () => this.follow(), this.log);

  constructor(
    private readonly database: SystemDatabase,
    private readonly tenant: TenantDatabase,
    private readonly jobs: Jobs,
    private readonly audit: AuditService,
  ) {}

  onApplicationBootstrap(): void {
    this.timer.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.timer.stop();
  }

  get(): Promise<ClockView> {
    return Promise.resolve({ now: new Date().toISOString(), offsetSeconds: shiftedBy() });
  }

  async advance(caller: Caller, input: AdvanceClock): Promise<ClockView> {
    await this.follow();
    const [before, seconds] = [await this.get(), secondsIn(input)];
    if (this.tenant.isRehearsing) return before;
    await this.database.rows('update cell set clock_offset_seconds = clock_offset_seconds + $1 returning 1', [seconds]);
    await this.follow();
    const after = await this.get();
    await this.audit.record(caller.orgId, { target: { type: 'clock', id: caller.orgId }, before, after });
    return after;
  }

  private async follow(): Promise<void> {
    const [cell] = await this.database.rows('select clock_offset_seconds as seconds from cell');
    const seconds = cell?.seconds as number;
    if (seconds === shiftedBy()) return;
    shiftTime(seconds);
    this.jobs.look();
  }
}

/** @throws validation_error unless the clock moves forward, and not too far in one step. */
function secondsIn({ by, to }: AdvanceClock): number {
  if ((by === undefined) === (to === undefined)) throw byOrTo();
  const field = by === undefined ? 'to' : 'by';
  const seconds = by === undefined ? Math.ceil((Date.parse(to as string) - Date.now()) / 1_000) : durationOf(by);
  if (seconds <= 0) throw notForward(field);
  if (seconds > mostDays * daySeconds) throw tooFar(field, mostDays);
  return seconds;
}

/** `P1DT2H` → 93600 */
const durationOf = (text: string): number =>
  [...text.matchAll(/(\d+)([WDHMS])/g)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * secondsOf[unit as keyof typeof secondsOf],
    0,
  );
