import { Injectable } from '@nestjs/common';
import { type Claim, type ClaimedTable, claiming, type DueRow, Jobs, type Lane, type Work } from '#jobs';
import { mayReadEvent } from '../../platform/events/readable-events.js';
import { DeliveryService } from './delivery.service.js';
import { DispatchRepository, type NextDelivery, soonestDelivery } from './dispatch.repository.js';

/**
 * The number of endpoints that one process sends to at the same time. Endpoints that failed last have their own places,
 * so they do not delay others.
 */
const concurrency = 32;
/** A delivery that is still in flight then is sent again by another process when its lease expires. */
const drainMs = 3_000;
/** Enough for one endpoint of each of many organizations; a lane holds some of each. */
const dueAtOnce = 200;
const sound: Lane = { name: 'deliveries', concurrency, drainMs };
const failing: Lane = { name: 'failing-deliveries', concurrency, drainMs };
/** How long one endpoint is sent to before others that wait have their turn. */
const turnMs = 5_000;

/**
 * Sends what is due, one endpoint at a time. Any number of processes may do so: only one sends to an endpoint, in the
 * order of each subject, and if that process dies, another one takes over when its lease has expired.
 */
@Injectable()
export class Dispatcher {
  constructor(
    private readonly dispatch: DispatchRepository,
    private readonly deliveries: DeliveryService,
    jobs: Jobs,
  ) {
    for (const lane of [sound, failing]) jobs.take(this.workIn(lane));
  }

  private workIn(lane: Lane): Work<DueRow> {
    const isFailing = lane === failing;
    const claims = this.dispatch.claims[isFailing ? 'failing' : 'sound'];
    return claiming({
      name: lane.name,
      lane,
      claims,
      soonest: soonestDelivery(isFailing),
      due: (now) => this.dispatch.due(now, isFailing, dueAtOnce),
      perform: (claim, signal) => this.turn(claims, claim, signal),
    });
  }

  /**
   * Sends one delivery after the other until one fails. After a failure, the endpoint continues among the failing ones.
   */
  private async turn(claims: ClaimedTable, claim: Claim, signal: AbortSignal): Promise<void> {
    const endsAt = performance.now() + turnMs;
    while (!signal.aborted && performance.now() < endsAt) {
      const now = new Date().toISOString();
      const delivery = await this.dispatch.next(claim, now);
      if (!delivery) return await claims.release(claim);
      if (delivery.dueAt > now) await this.dispatch.park(claim, delivery);
      else if (!isForMaker(claim, delivery)) await this.dispatch.withhold(claim, delivery, now);
      else if (!(await this.deliveries.attempt(claim, delivery))) break;
    }
    await claims.release(claim);
    this.dispatch.becomesDue();
  }
}

/** A test event is about the endpoint itself, which everyone who manages endpoints may see. */
function isForMaker({ id: endpointId }: Claim, { event, maker: { permissions, seesPlace } }: NextDelivery): boolean {
  if (!permissions || event.subject.id === endpointId) return true;
  return seesPlace && mayReadEvent(event, permissions);
}
