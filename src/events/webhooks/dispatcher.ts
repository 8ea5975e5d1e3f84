import { setTimeout as wait } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { DueTimer } from '#jobs';
import { WakeUps } from '../wake-ups.js';
import { DeliveryService } from './delivery.service.js';
import { DispatchRepository, type Lease } from './dispatch.repository.js';

/** What other processes commit, and what is to be tried again, is looked for so often. */
const everyMs = 200;
/** Endpoints that are sent to at once. Those that failed last have places of their own: they delay no other. */
const places = { sound: 32, failing: 32 };
/** How long one endpoint is sent to before others that wait have their turn. */
const turnMs = 5_000;
/** Longer than a turn and the last attempt in it can take. */
const leaseMs = 60_000;
/** What is under way then is sent again by another process, when its lease has run out. */
const shutdownWithinMs = 3_000;

type Lane = keyof typeof places;

/**
 * Sends what is due. Any number of processes may do so: an endpoint is sent to by one at a time, in the order of each
 * subject, and whatever a process that died was about to send is sent by another when its lease has run out.
 */
@Injectable()
export class Dispatcher implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly turns: Record<Lane, Set<Promise<void>>> = { sound: new Set(), failing: new Set() };
  private readonly log = new Logger(Dispatcher.name);
  private readonly timer = new DueTimer('webhook deliveries', everyMs, () => this.runDue(), this.log);
  private stopListening: () => void = () => undefined;
  private isStopping = false;

  constructor(
    private readonly dispatch: DispatchRepository,
    private readonly deliveries: DeliveryService,
    private readonly wakeUps: WakeUps,
  ) {}

  onApplicationBootstrap(): void {
    this.stopListening = this.wakeUps.listen(() => this.timer.wake());
    this.timer.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    this.stopListening();
    const ended = this.timer.stop().then(() => this.idle());
    await Promise.race([ended, wait(shutdownWithinMs, undefined, { ref: false })]);
  }

  /** Begins to send to every endpoint that has something due; a slow one keeps nobody waiting for this. */
  async runDue(): Promise<void> {
    await Promise.all([this.fill('sound'), this.fill('failing')]);
  }

  /** Resolves when nothing is under way any more. */
  async idle(): Promise<void> {
    await Promise.all([...this.turns.sound, ...this.turns.failing]);
  }

  private async fill(lane: Lane): Promise<void> {
    const free = places[lane] - this.turns[lane].size;
    if (free <= 0) return;
    const now = Date.now();
    const [from, until] = [new Date(now).toISOString(), new Date(now + leaseMs).toISOString()];
    for (const lease of await this.dispatch.claim(from, until, lane === 'failing', free)) this.begin(lane, lease);
  }

  private begin(lane: Lane, lease: Lease): void {
    const turn = this.turn(lease)
      .catch((error: unknown) => this.log.error({ err: error as Error }, 'Webhook deliveries were interrupted'))
      .finally(() => {
        this.turns[lane].delete(turn);
        this.timer.wake();
      });
    this.turns[lane].add(turn);
  }

  /** One delivery after the other, until one fails: what fails goes on among its like. */
  private async turn(lease: Lease): Promise<void> {
    const endsAt = performance.now() + turnMs;
    while (!this.isStopping && performance.now() < endsAt) {
      const now = new Date().toISOString();
      const delivery = await this.dispatch.next(lease, now);
      if (!delivery) break;
      if (delivery.dueAt > now) await this.dispatch.park(lease, delivery);
      else if (!(await this.deliveries.attempt(lease, delivery))) break;
    }
    await this.dispatch.release(lease, new Date().toISOString());
  }
}
