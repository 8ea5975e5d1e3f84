import { setImmediate as nextTurnOfLoop, setTimeout as wait } from 'node:timers/promises';
import type { Claim, Places } from '#jobs';
import type { Outbound, Visit } from '#outbound';
import { BatchLoader } from '#persistence';
import type { WakeUps } from '#wake-ups';
import { eventTopic } from '../../platform/events/event-topic.js';
import { mayReadEvent } from '../../platform/events/readable-events.js';
import type { DeliveryService } from './delivery.service.js';
import { mostToEndpoint } from './dispatch-statements.js';
import type { DispatchRepository, Finished, NextDelivery } from './dispatch.repository.js';

/** How long one endpoint is sent to before others that wait have their turn. */
const turnMs = 5_000;
/** Between two looks for deliveries that are committed during the turn. */
const wokenRestMs = 20;

/** What the turns of all endpoints in this process share. */
export interface Sending {
  dispatch: DispatchRepository;
  deliveries: DeliveryService;
  outbound: Outbound;
  wakeUps: WakeUps;
  /** The deliveries in flight of all organizations; the first one of an endpoint needs no place. */
  places: Places;
}

/**
 * Sends to one endpoint: the next delivery of each of many subjects at the same time, until one fails. A subject has one
 * delivery in flight, so its events arrive in order.
 */
export class EndpointTurn {
  /** By subject. */
  private readonly inFlight = new Map<string, Promise<void>>();
  private readonly visits = new Map<string, Visit>();
  private readonly endsAt = performance.now() + turnMs;
  /** Outcomes that are known at the same time are recorded together. */
  private readonly finishes: BatchLoader<Finished, boolean>;
  private readonly stopListening: () => void;
  /** Resolves with the next events of the organization. */
  private woken = Promise.withResolvers<void>();
  private goesOn = true;
  private thrown?: { error: unknown };

  /** @param isFailing whether the last delivery failed: then one is sent to see whether the receiver is back. */
  constructor(
    private readonly sending: Sending,
    private readonly claim: Claim,
    private readonly isFailing: boolean,
    private readonly ending: AbortSignal,
  ) {
    this.finishes = new BatchLoader((finished) => sending.dispatch.finish(claim, finished));
    this.stopListening = sending.wakeUps.listen(eventTopic(claim.orgId), () => this.woken.resolve());
  }

  /** @returns whether the turn ended before everything was sent. */
  async run(): Promise<boolean> {
    try {
      for (;;) {
        const isOpen = this.goesOn && !this.ending.aborted && performance.now() < this.endsAt;
        if (isOpen) await this.sendMore();
        if (this.inFlight.size === 0 && this.thrown) throw this.thrown.error;
        if (this.inFlight.size === 0) return !isOpen;
        await this.nextReason(isOpen);
      }
    } finally {
      this.stopListening();
      await Promise.all([...this.visits.values()].map((visit) => visit.end()));
    }
  }

  /** Until deliveries have ended, or others may be due beside those in flight. */
  private async nextReason(isOpen: boolean): Promise<void> {
    const ended = Promise.race(this.inFlight.values());
    const committed = this.woken.promise.then(() => wait(wokenRestMs));
    await (isOpen ? Promise.race([ended, committed]) : ended);
    // Those whose outcomes were recorded together end together.
    await nextTurnOfLoop();
  }

  private async sendMore(): Promise<void> {
    this.woken = Promise.withResolvers<void>();
    const { orgId } = this.claim;
    const { places, dispatch } = this.sending;
    const most = this.isFailing ? 1 : mostToEndpoint;
    let free = 0;
    const isFirst = (): boolean => this.inFlight.size + free === 0;
    for (; this.inFlight.size + free < most && (isFirst() || places.mayTake(orgId)); free += 1) places.take(orgId);
    try {
      if (free === 0) return;
      const busy = [...this.inFlight.keys()];
      for (const delivery of await dispatch.next(this.claim, new Date().toISOString(), free, busy)) {
        free -= 1;
        this.inFlight.set(delivery.event.subject.id, this.send(delivery));
      }
    } finally {
      for (; free > 0; free -= 1) places.leave(orgId);
    }
  }

  private async send(delivery: NextDelivery): Promise<void> {
    try {
      await this.deliver(delivery);
    } catch (error) {
      this.goesOn = false;
      this.thrown = { error };
    }
    this.inFlight.delete(delivery.event.subject.id);
    this.sending.places.leave(this.claim.orgId);
  }

  private async deliver(delivery: NextDelivery): Promise<void> {
    const { dispatch, deliveries } = this.sending;
    const now = new Date().toISOString();
    if (delivery.dueAt > now) return await dispatch.park(this.claim, delivery);
    if (!isForMaker(this.claim, delivery)) return await dispatch.withhold(this.claim, delivery, now);
    const isAccepted = await deliveries.attempt(this.claim, delivery, this.visitTo(delivery.url), this.finishes);
    if (this.isFailing || !isAccepted) this.goesOn = false;
  }

  /** The URL may change during a turn. */
  private visitTo(url: string): Visit {
    const visit = this.visits.get(url) ?? this.sending.outbound.visit(url);
    this.visits.set(url, visit);
    return visit;
  }
}

/** A test event is about the endpoint itself, which everyone who manages endpoints may see. */
function isForMaker({ id: endpointId }: Claim, { event, maker: { permissions, seesPlace } }: NextDelivery): boolean {
  if (!permissions || event.subject.id === endpointId) return true;
  return seesPlace && mayReadEvent(event, permissions);
}
