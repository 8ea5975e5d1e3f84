import { Worker } from 'node:worker_threads';
import { WorkKilled } from './heavy-work.js';
import { helpersLeaveCores } from './priority.js';
import type { Answer, Preparation, Request } from './program.js';

/** Modules are loaded from disk, at times on a machine that is busy; longer than this is a fault of ours. */
const loadsWithinMs = 30_000;

const program = import.meta.resolve('./program.js');

interface Bounds {
  kind: string;
  withinMs: number;
}

/** One thread, which does one piece of work at a time. It keeps the process alive only while it does. */
export class Thread {
  /** How many pieces it has been given. */
  runs = 0;
  private readonly worker: Worker;
  private isOver = false;

  constructor(megabytes: number) {
    helpersLeaveCores();
    this.worker = new Worker(new URL(program), {
      resourceLimits: { maxOldGenerationSizeMb: megabytes },
      // The code here reads data from strangers and needs none of the process's secrets.
      env: {},
      // What is loaded before the service is meant for it, and may need its environment; sources need their loader.
      execArgv: program.endsWith('.ts') ? process.execArgv : [],
    });
    this.worker.unref();
    const over = (): boolean => (this.isOver = true);
    this.worker.on('error', over).once('exit', over);
  }

  /** Whether it can take another piece. */
  get isUsable(): boolean {
    return !this.isOver;
  }

  /** Loads a module before it is needed. */
  prepare(module: string): void {
    this.worker.postMessage({ module } satisfies Preparation);
  }

  /** @throws WorkKilled, and whatever the work throws, of which the message and the stack survive the way. */
  perform(request: Request, { kind, withinMs }: Bounds): Promise<unknown> {
    this.runs += 1;
    // An argument that is a buffer is moved, because copying megabytes takes as long as reading them.
    this.worker.postMessage(
      request,
      request.args.filter((arg) => arg instanceof ArrayBuffer),
    );
    const { promise, resolve, reject } = Promise.withResolvers();
    let timer: NodeJS.Timeout;
    let isLate = false;
    const giveUp = (): void => {
      // A result that has arrived when the timer fires still counts.
      setImmediate(() => {
        if (isSettled) return;
        isLate = true;
        void this.end();
      });
    };
    const onMessage = (answer: Answer): void => {
      clearTimeout(timer);
      if ('loaded' in answer) timer = setTimeout(giveUp, withinMs);
      else if ('error' in answer) reject(answer.error);
      else resolve(answer.result);
    };
    const onError = (error: Error): void => reject(isOutOfMemory(error) ? new WorkKilled(kind, 'memory') : error);
    const onExit = (): void =>
      reject(isLate ? new WorkKilled(kind, 'time') : new Error('The thread ended while it was working'));

    let isSettled = false;
    timer = setTimeout(giveUp, loadsWithinMs);
    this.worker.on('message', onMessage).on('error', onError).on('exit', onExit).ref();
    return promise.finally(() => {
      isSettled = true;
      clearTimeout(timer);
      this.worker.off('message', onMessage).off('error', onError).off('exit', onExit).unref();
    });
  }

  async end(): Promise<void> {
    this.isOver = true;
    await this.worker.terminate();
  }
}

const isOutOfMemory = (error: Error): boolean => 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
