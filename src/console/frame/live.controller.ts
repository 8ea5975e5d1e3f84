import type { Request, Response } from 'express';
import { Get, type OnModuleDestroy, Req, Res, UseGuards } from '@nestjs/common';
import { ServiceError } from '#errors';
import { WakeUps } from '#wake-ups';
import { RateLimitGuard } from '../../edge/limits/rate-limit.guard.js';
import { eventTopic } from '../../platform/events/event-topic.js';
import { PageController } from '../../platform/pages/page-controller.js';
import { ConsoleGuard, visitorOf } from './console.guard.js';

/** After this the browser connects again, and who has been signed out since cannot. */
const openForMs = 10 * 60_000;
/** A busy organization does not redraw its pages at every event. */
const mostOftenMs = 2_000;
const stillHereMs = 20_000;
/** Pages that one person has open; each keeps a connection. */
const mostOfPerson = 50;

/** Those who look at one organization: one subscription for all of them. */
interface Audience {
  readonly responses: Set<Response>;
  stop(): void;
}

/** Notifies browsers that something happened in their organization, without saying what: the page reloads. */
@PageController({ isCounted: false })
@UseGuards(ConsoleGuard, RateLimitGuard)
export class LiveController implements OnModuleDestroy {
  private readonly audiences = new Map<string, Audience>();
  private readonly openOf = new Map<string, number>();

  constructor(private readonly wakeUps: WakeUps) {}

  @Get('console/:slug/live')
  listen(@Req() request: Request, @Res() response: Response): void {
    // A browser may have left while its session was looked up. Its response has closed by then, and never does again.
    if (response.closed) return;
    const { signedIn, membership } = visitorOf(request);
    const { orgId } = membership;
    this.count(signedIn.userId, 1);
    response.set({ 'Content-Type': 'text/event-stream; charset=utf-8', 'Cache-Control': 'no-store' });
    response.write(`retry: ${mostOftenMs}\n\n`);
    const audience = this.audiences.get(orgId) ?? this.begin(orgId);
    audience.responses.add(response);
    const alive = setInterval(() => response.write(': still here\n\n'), stillHereMs);
    const end = setTimeout(() => response.end(), openForMs);
    response.once('close', () => {
      this.count(signedIn.userId, -1);
      clearInterval(alive);
      clearTimeout(end);
      audience.responses.delete(response);
      if (audience.responses.size > 0) return;
      audience.stop();
      this.audiences.delete(orgId);
    });
  }

  onModuleDestroy(): void {
    for (const { responses } of this.audiences.values()) for (const response of responses) response.end();
  }

  private count(userId: string, change: 1 | -1): void {
    const open = (this.openOf.get(userId) ?? 0) + change;
    if (open > mostOfPerson) throw tooManyPages();
    if (open === 0) this.openOf.delete(userId);
    else this.openOf.set(userId, open);
  }

  private begin(orgId: string): Audience {
    const responses = new Set<Response>();
    let timer: NodeJS.Timeout | undefined;
    const tell = (): void => {
      timer = undefined;
      for (const response of responses) response.write('data: changed\n\n');
    };
    const stopListening = this.wakeUps.listen(eventTopic(orgId), () => (timer ??= setTimeout(tell, mostOftenMs)));
    const audience: Audience = {
      responses,
      stop: () => {
        clearTimeout(timer);
        stopListening();
      },
    };
    this.audiences.set(orgId, audience);
    return audience;
  }
}

const tooManyPages = (): ServiceError =>
  new ServiceError({
    status: 429,
    message: `You have ${mostOfPerson} pages of the console open. Close some of them; this one is not updated automatically.`,
    headers: { 'Retry-After': '60' },
  });
