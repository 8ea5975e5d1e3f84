import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from '../../client.js';
import { faultsAmong, type Load, type Verdict } from './load.js';

const usesOfEach = 3;

/**
 * Keys are created, used and revoked: each works from its creation's response on, and never after the response to its
 * revocation.
 */
export class Keys implements Load {
  readonly name = 'keys';
  private readonly figures = { keys: 0, uses: 0 };
  private readonly counts = { 'keys rejected too early': 0, 'revoked keys that work': 0 };
  private readonly revoked: Client[] = [];

  async run(client: Client, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const other = await client.keyed(1_000);
      for (let use = 0; use < usesOfEach; use += 1) {
        if ((await this.use(other)) !== 200) this.counts['keys rejected too early'] += 1;
      }
      await client.send('POST', `/api-keys/${other.keyId}/revoke`, {});
      if ((await this.use(other)) !== 401) this.counts['revoked keys that work'] += 1;
      this.revoked.push(other);
      this.figures.keys += 1;
    }
  }

  async judge(): Promise<Verdict> {
    for (const other of this.revoked.slice(-20)) {
      if ((await this.use(other)) !== 401) this.counts['revoked keys that work'] += 1;
    }
    return { figures: this.figures, faults: faultsAmong(this.counts) };
  }

  /** @returns 200 or 401; what fails because a process is down is requested again. */
  private async use(client: Client): Promise<number> {
    for (;;) {
      const { status } = await client.once('GET', '/properties?limit=1');
      this.figures.uses += 1;
      if (status === 200 || status === 401) return status;
      await wait(100);
    }
  }
}
