import { EventEmitter } from 'node:events';

/** Notifies other processes of topics that they may have to look at. */
export interface Line {
  /** @param onNotified called with the topics of another process, and without any after a lost connection is restored. */
  open(onNotified: (topics?: readonly string[]) => void): void;
  notify(topic: string): void;
  close(): Promise<void>;
}

/**
 * A commit wakes its listeners: in this process directly, in others through the line. A topic is a kind of work, or the
 * events of one organization. A wake-up may be lost, so listeners also look on their own, every few seconds.
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
    this.line?.notify(topic);
  }

  /** @returns how to stop listening. */
  listen(topic: string, listener: () => void): () => void {
    this.emitter.on(topic, listener);
    return () => void this.emitter.off(topic, listener);
  }
}
