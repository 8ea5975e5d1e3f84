import { setTimeout as wait } from 'node:timers/promises';
import type { ServiceProcess } from './service-processes.js';

const probeMs = 250;
/** A machine that is busy with other things answers late. */
const longestProbeMs = 5_000;

/** A balancer: sends requests in turn to the nodes that were ready at the last probe. */
export class ReadyNodes {
  private readonly ready: Set<ServiceProcess>;
  private readonly probing: Promise<void>[];
  private isOver = false;
  private turns = 0;

  /** @param nodes that are ready now. */
  constructor(private readonly nodes: readonly ServiceProcess[]) {
    this.ready = new Set(nodes);
    this.probing = nodes.map(async (node) => {
      for (; !this.isOver; await wait(probeMs)) this.ready[(await isReady(node)) ? 'add' : 'delete'](node);
    });
  }

  /** If no node is ready, to one that is not: its client gets no response. */
  get url(): string {
    const up = this.nodes.filter((node) => this.ready.has(node));
    const known = up.length > 0 ? up : this.nodes;
    return (known[(this.turns += 1) % known.length] as ServiceProcess).url;
  }

  /** Resolves when requests are sent to it. */
  async has(node: ServiceProcess): Promise<void> {
    while (!this.ready.has(node)) await wait(probeMs);
  }

  async end(): Promise<void> {
    this.isOver = true;
    await Promise.all(this.probing);
  }
}

async function isReady({ url }: ServiceProcess): Promise<boolean> {
  const answer = await fetch(new URL('/readyz', url), { signal: AbortSignal.timeout(longestProbeMs) }).catch(
    () => undefined,
  );
  return answer?.status === 200;
}
