import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

/** How one request of the victim went. */
export interface Sample {
  ms: number;
  /** 0 where there was no answer. */
  status: number;
}

export interface VictimData {
  url: string;
  key: string;
  taskId: string;
}

/** The organization that has done nothing, and wants to work as ever. */
export class Victim {
  private readonly thread: Worker;

  constructor(workerData: VictimData) {
    this.thread = new Worker(fileURLToPath(new URL('victim.program.js', import.meta.url)), { workerData });
  }

  /** Twenty requests a second for so long. */
  async during(ms: number): Promise<Sample[]> {
    const answered = once(this.thread, 'message');
    this.thread.postMessage(ms);
    const [samples] = (await answered) as [Sample[]];
    return samples;
  }

  async stop(): Promise<void> {
    await this.thread.terminate();
  }
}
