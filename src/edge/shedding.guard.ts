import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { loopTime } from '#loop-time';
import { contextOf } from '#operations';
import { Overload } from '../platform/health/overload.js';
import { Metrics } from '../platform/metrics/metrics.js';
import { refusalFor } from './shedding.middleware.js';

/** Second guard: the cause of an overload is rejected first. A tool call is part of the request that carries it. */
@Injectable()
export class SheddingGuard implements CanActivate {
  constructor(
    private readonly overload: Overload,
    private readonly metrics: Metrics,
  ) {}

  canActivate(host: ExecutionContext): boolean {
    const { door, caller } = contextOf(host);
    if (door !== 'rest' || !caller) return true;
    loopTime.enter(caller.orgId);
    const refusal = refusalFor(caller.orgId, this.overload, this.metrics);
    if (refusal) throw refusal;
    return true;
  }
}
