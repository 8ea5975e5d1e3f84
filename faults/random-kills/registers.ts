import type { Client } from '../client.js';
import { faultsAmong, type Load, type Verdict } from './load.js';

const registers = 4;
const readersOfEach = 2;

interface Register {
  id: string;
  /** The last value that was sent, and the last that was answered with success. */
  sent: number;
  acknowledged: number;
  /** The highest value that any reader has seen. */
  seen: number;
}

/**
 * Tasks as registers: one client writes 1, 2, 3 … to each, and others read. A read may return nothing older than what
 * was acknowledged, or read by anybody, before it began, and nothing newer than what was sent before it ended: with one
 * writer that is linearizability.
 */
export class Registers implements Load {
  readonly name = 'registers';
  private readonly all: Register[] = [];
  private readonly counts = { 'stale reads': 0, 'reads of values that nobody had written': 0 };
  private reads = 0;

  async run(client: Client, signal: AbortSignal): Promise<void> {
    for (let number = 0; number < registers; number += 1) {
      const { id } = await client.send('POST', '/tasks', { name: `Register ${number}`, description: '0' });
      this.all.push({ id: id as string, sent: 0, acknowledged: 0, seen: 0 });
    }
    await Promise.all(
      this.all.flatMap((register) => [
        this.write(client, register, signal),
        ...Array.from({ length: readersOfEach }, () => this.read(client, register, signal)),
      ]),
    );
  }

  async judge(client: Client): Promise<Verdict> {
    for (const register of this.all) await this.readOnce(client, register);
    const written = this.all.reduce((sum, { acknowledged }) => sum + acknowledged, 0);
    return { figures: { written, reads: this.reads }, faults: faultsAmong(this.counts) };
  }

  private async write(client: Client, register: Register, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      register.sent += 1;
      await client.send('PATCH', `/tasks/${register.id}`, { description: String(register.sent) });
      register.acknowledged = register.sent;
    }
  }

  private async read(client: Client, register: Register, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) await this.readOnce(client, register);
  }

  private async readOnce(client: Client, register: Register): Promise<void> {
    const atLeast = Math.max(register.acknowledged, register.seen);
    const value = Number((await client.read(`/tasks/${register.id}`)).description);
    this.reads += 1;
    if (value < atLeast) this.counts['stale reads'] += 1;
    if (value > register.sent) this.counts['reads of values that nobody had written'] += 1;
    register.seen = Math.max(register.seen, value);
  }
}
