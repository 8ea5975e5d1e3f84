import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { tooManyCompilations } from '../templates.errors.js';
import type { Compiled } from './mjml-worker.js';

/** Beside this file and of its kind: sources run as they are in tests, and compiled otherwise. */
const program = new URL(import.meta.url.replace(/mjml-compiler(?=\.[jt]s$)/, 'mjml-worker'));
/** The longest letters take a third of a second. */
const withinMs = 2_000;
const resourceLimits = { maxOldGenerationSizeMb: 256 };
const mostWaiting = 4;
const idleMs = 60_000;
const tooMuch = 'It takes too long or too much memory to compile. Use fewer elements and attributes.';

/**
 * MJML to HTML, one after the other in a thread: what a hostile source takes, the thread takes, and it is ended where
 * that is too much. Few wait at once, because each who does holds a connection of the database.
 */
@Injectable()
export class MjmlCompiler implements OnApplicationShutdown {
  private worker?: Promise<Worker>;
  private last: Promise<unknown> = Promise.resolve();
  private waiting = 0;
  private idle?: NodeJS.Timeout;

  /** @throws service_unavailable where too many wait already. */
  async compile(source: string): Promise<Compiled> {
    if (this.waiting > mostWaiting) throw tooManyCompilations();
    this.waiting += 1;
    const turn = this.last.then(() => this.run(source));
    this.last = turn.catch(() => undefined).finally(() => (this.waiting -= 1));
    return await turn;
  }

  async onApplicationShutdown(): Promise<void> {
    clearTimeout(this.idle);
    await this.stop();
  }

  private async run(source: string): Promise<Compiled> {
    clearTimeout(this.idle);
    const worker = await (this.worker ??= this.start());
    const limit = new AbortController();
    try {
      worker.postMessage(source);
      // `once` rejects with what the thread dies of, such as the end of its memory.
      const answer = once(worker, 'message', { signal: limit.signal }) as Promise<[Compiled]>;
      const late = wait(withinMs, undefined, { signal: limit.signal, ref: false });
      const answered = await Promise.race([answer, late]).catch(() => undefined);
      if (!answered) {
        await this.stop();
        return { html: '', faults: [tooMuch] };
      }
      return answered[0];
    } finally {
      limit.abort();
      this.idle = setTimeout(() => void this.stop(), idleMs).unref();
    }
  }

  /** Ready once it has loaded MJML, which takes longer than compiling does. */
  private async start(): Promise<Worker> {
    const worker = new Worker(program, { resourceLimits });
    worker.unref();
    worker.on('error', () => undefined).once('exit', () => (this.worker = undefined));
    await once(worker, 'message');
    return worker;
  }

  private async stop(): Promise<void> {
    await (await this.worker)?.terminate();
  }
}
