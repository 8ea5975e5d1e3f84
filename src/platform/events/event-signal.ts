import type { WakeUps } from '#wake-ups';
import { eventTopic } from './event-topic.js';

/** How often a follower looks without a signal, in case one was lost. */
const lookEveryMs = 5_000;

/** Notifies one follower of an organization's events when to look again. */
export class EventSignal {
  private lookedAt = 0;
  private isWoken = false;
  private wake: () => void = () => undefined;
  private readonly stopListening: () => void;

  constructor(wakeUps: WakeUps, orgId: string) {
    this.stopListening = wakeUps.listen(eventTopic(orgId), () => {
      this.isWoken = true;
      this.wake();
    });
  }

  /** To be called before a look: what is committed while it continues is a reason for the next one. */
  looks(): void {
    this.isWoken = false;
    this.lookedAt = performance.now();
  }

  get isGiven(): boolean {
    return this.isWoken || performance.now() - this.lookedAt >= lookEveryMs;
  }

  /** Resolves at the signal, or after this many milliseconds. */
  async within(ms: number): Promise<void> {
    if (this.isWoken) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.wake = resolve;
      timer = setTimeout(resolve, ms);
    });
    clearTimeout(timer);
  }

  end(): void {
    this.stopListening();
  }
}
