import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** How one request of the victim went. */
export interface Sample {
  ms: number;
  /** For how long of it the victim's own program waited for a core. */
  waitedMs?: number;
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
  private readonly program: ChildProcess;

  constructor(data: VictimData) {
    const file = fileURLToPath(new URL('victim.program.js', import.meta.url));
    this.program = fork(file, [JSON.stringify(data)], { detached: true });
  }

  get pid(): number {
    return this.program.pid as number;
  }

  /** Twenty requests a second for so long. */
  async during(ms: number): Promise<Sample[]> {
    const answered = once(this.program, 'message');
    this.program.send(ms);
    const [samples] = (await answered) as [Sample[]];
    return samples;
  }

  stop(): void {
    this.program.kill();
  }
}
