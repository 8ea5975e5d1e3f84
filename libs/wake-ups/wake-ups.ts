import { EventEmitter } from 'node:events';

/** Tells other processes what they may have to look for. */
export interface Line {
  /** @param heard called with what another process tells; with nothing after a connection was lost and is back. */
  open(heard: (topics?: readonly string[]) => void): void;
  tell(topic: string): void;
  close(): Promise<void>;
}

/**
 * What was committed wakes those who look for it: in this process directly, in others through the line. A topic is a
 * kind of work, or the events of one organization. A wake-up may be lost, so listeners also look on their own,
 * every few seconds.
 */
export class WakeUps {
  private readonly emitter = new EventEmitter().setMaxListeners(0);

  constructor(private readonly line?: Line) {}

  open(): void {
    this.line?.open((topics = this.emitter.eventNames() as string[]) => {
      for (const topic of topics) this.emitter.emit(topic);
    });
  }

  async close(): Promise<void> {
    await this.line?.close();
  }

  /** To be called after the commit. */
  wake(topic: string): void {
    this.emitter.emit(topic);
    this.line?.tell(topic);
  }

  /** @returns how to stop listening. */
  listen(topic: string, listener: () => void): () => void {
    this.emitter.on(topic, listener);
    return () => void this.emitter.off(topic, listener);
  }
}
