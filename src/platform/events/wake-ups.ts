import { EventEmitter } from 'node:events';
import { Injectable } from '@nestjs/common';

/** Notifies listeners in this process that an organization's transaction has committed events; other processes poll. */
@Injectable()
export class WakeUps {
  private readonly emitter = new EventEmitter().setMaxListeners(0);

  notify(orgId: string): void {
    this.emitter.emit(orgId);
    this.emitter.emit('any');
  }

  /** @returns how to stop listening. */
  listen(listener: () => void): () => void {
    this.emitter.on('any', listener);
    return () => this.emitter.off('any', listener);
  }

  /** Resolves with the organization's next events, or after this many milliseconds. */
  async next(orgId: string, withinMs: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.emitter.off(orgId, done);
        resolve();
      };
      const timer = setTimeout(done, withinMs);
      this.emitter.once(orgId, done);
    });
  }
}
