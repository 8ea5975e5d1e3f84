import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** The result of one request of the victim. */
export interface Sample {
  ms: number;
  /** How long the victim's own program waited for a core. */
  waitedMs?: number;
  /** 0 if there was no response. */
  status: number;
}

export interface VictimData {
  url: string;
  key: string;
  taskId: string;
}

/** The organization that has done nothing, and expects normal service. */
export class Victim {
  private readonly program: ChildProcess;

  constructor(data: VictimData) {
    const file = fileURLToPath(new URL('victim.program.js', import.meta.url));
    this.program = fork(file, [JSON.stringify(data)], { detached: true });
  }

  get pid(): number {
    return this.program.pid as number;
  }

  /** Twenty requests a second for this long. */
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
