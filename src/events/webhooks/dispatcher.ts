import { Injectable } from '@nestjs/common';
import { Jobs, type Lane, type Work } from '#jobs';
import { mayReadEvent } from '../../platform/events/readable-events.js';
import { WakeUps } from '../../platform/events/wake-ups.js';
import { DeliveryService } from '../../outside/webhooks/delivery.service.js';
import { DispatchRepository, type DueEndpoint, type Lease, type NextDelivery } from '../../outside/webhooks/dispatch.repository.js';

/** What other processes commit, and what is to be tried again, is looked for so often. */
const everyMs = 200;
/** Endpoints that one process sends to at once. Those that failed last have places of their own: they delay no other. */
const concurrency = 32;
/** What is under way then is sent again by another process, when its lease has run out. */
const drainMs = 3_000;
/** Enough for one endpoint of each of many organizations; a lane holds some of each. */
const dueAtOnce = 200;
const sound: Lane = { name: 'deliveries', concurrency, drainMs };
const failing: Lane = { name: 'failing-deliveries', concurrency, drainMs };
/** How long one endpoint is sent to before others that wait have their turn. */
const turnMs = 5_000;
/** Longer than a turn and the last attempt in it can take. */
const leaseMs = 30_000;

/**
 * Sends what is due, an endpoint at a time. Any number of processes may do so: an endpoint is sent to by one, in the
 * order of each subject, and whatever a process that died was about to send is sent by another when its lease has run
 * out.
 */
@Injectable()
export class Dispatcher {
  constructor(
    private readonly dispatch: DispatchRepository,
    private readonly deliveries: DeliveryService,
    wakeUps: WakeUps,
    jobs: Jobs,
  ) {
    for (const lane of [sound, failing]) wakeUps.listen(jobs.take(this.workIn(lane)));
  }

  private workIn(lane: Lane): Work<DueEndpoint> {
    const isFailing = lane === failing;
    return {
      name: lane.name,
      lane,
      everyMs,
      due: (now) => this.dispatch.due(now, isFailing, dueAtOnce),
      perform: async (endpoint, signal) => {
        const now = Date.now();
        const [from, until] = [new Date(now).toISOString(), new Date(now + leaseMs).toISOString()];
        const lease = await this.dispatch.claim(endpoint, isFailing, from, until);
        if (lease) await this.turn(lease, signal);
      },
    };
  }

  /** One delivery after the other, until one fails: what fails goes on among its like. */
  private async turn(lease: Lease, signal: AbortSignal): Promise<void> {
    const endsAt = performance.now() + turnMs;
    while (!signal.aborted && performance.now() < endsAt) {
      const now = new Date().toISOString();
      const delivery = await this.dispatch.next(lease, now);
      if (!delivery) break;
      if (delivery.dueAt > now) await this.dispatch.park(lease, delivery);
      else if (!isForMaker(lease, delivery)) await this.dispatch.withhold(lease, delivery, now);
      else if (!(await this.deliveries.attempt(lease, delivery))) break;
    }
    await this.dispatch.release(lease, new Date().toISOString());
  }
}

/** A test tells of the endpoint itself, which whoever manages endpoints may know. */
function isForMaker({ endpointId }: Lease, { event, maker: { permissions, seesPlace } }: NextDelivery): boolean {
  if (!permissions || event.subject.id === endpointId) return true;
  return seesPlace && mayReadEvent(event, permissions);
}
