import { Injectable } from '@nestjs/common';
import { claiming, type ClaimedWork, Jobs, Places } from '#jobs';
import { Outbound } from '#outbound';
import { WakeUps } from '#wake-ups';
import { DeliveryService } from './delivery.service.js';
import { soonestDelivery } from './dispatch-statements.js';
import { DispatchRepository } from './dispatch.repository.js';
import { EndpointTurn, type Sending } from './endpoint-turn.js';

/**
 * The number of endpoints that one process sends to at the same time. Endpoints that failed last have their own places,
 * so they do not delay others.
 */
const concurrency = 32;
/** The number of deliveries that one process has in flight, which organizations share as they share a lane. */
const mostInFlight = 128;
/** A delivery that is still in flight then is sent again by another process when its lease expires. */
const drainMs = 3_000;
/** Enough for one endpoint of each of many organizations; a lane holds some of each. */
const dueAtOnce = 200;

/**
 * Sends what is due. Any number of processes may do so: only one sends to an endpoint, in the order of each subject, and
 * if that process dies, another one takes over when its lease has expired.
 */
@Injectable()
export class Dispatcher {
  private readonly sending: Sending;

  constructor(
    private readonly dispatch: DispatchRepository,
    deliveries: DeliveryService,
    outbound: Outbound,
    wakeUps: WakeUps,
    jobs: Jobs,
  ) {
    this.sending = { dispatch, deliveries, outbound, wakeUps, places: new Places(mostInFlight) };
    for (const isFailing of [false, true]) jobs.take(claiming(this.workOn(isFailing)));
  }

  private workOn(isFailing: boolean): ClaimedWork {
    const claims = this.dispatch.claims[isFailing ? 'failing' : 'sound'];
    return {
      lane: { name: claims.work, concurrency, drainMs },
      claims,
      soonest: soonestDelivery(isFailing),
      due: (now) => this.dispatch.due(now, isFailing, dueAtOnce),
      perform: async (claim, signal) => {
        const hasMore = await new EndpointTurn(this.sending, claim, isFailing, signal).run();
        await claims.release(claim);
        // After a failure or a success, the other lane may have it.
        if (hasMore) this.dispatch.becomesDue();
      },
    };
  }
}
