import type { Response } from 'express';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { loopTime } from '#loop-time';
import { contextOf } from '#operations';
import { Overload } from '../../platform/health/overload.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { RequestTurns } from './request-turns.js';
import { refusalFor, refusalOfItsOwnLoad } from './shedding.middleware.js';

/**
 * Second guard: the causes of an overload are rejected first, and an organization that makes the event loop late waits
 * for its turn. A tool call is part of the request that carries it.
 */
@Injectable()
export class SheddingGuard implements CanActivate {
  constructor(
    private readonly overload: Overload,
    private readonly metrics: Metrics,
    private readonly turns: RequestTurns,
  ) {}

  canActivate(host: ExecutionContext): boolean | Promise<boolean> {
    const { door, caller } = contextOf(host);
    if (door !== 'rest' || !caller) return true;
    loopTime.enter(caller.orgId);
    const refusal = refusalFor(caller.orgId, this.overload, this.metrics);
    if (refusal) throw refusal;
    const turn = this.turns.take(caller.orgId, host.switchToHttp().getResponse<Response>());
    return turn === true || this.wait(caller.orgId, turn);
  }

  private async wait(orgId: string, turn: Promise<boolean>): Promise<boolean> {
    if (!(await turn)) throw refusalOfItsOwnLoad(this.metrics);
    loopTime.enter(orgId);
    return true;
  }
}
