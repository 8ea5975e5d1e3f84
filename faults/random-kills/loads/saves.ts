import type { Client } from '../../client.js';
import { faultsAmong, type Load, type Verdict } from './load.js';

const writers = 3;
const referencesOfEach = 10;

interface Result {
  outcome?: string;
}
interface Guest {
  name: string;
}

/**
 * Guests saved in bulk under a vendor's ids, version after version: each id has one guest, with the data of the last
 * save.
 */
export class Saves implements Load {
  readonly name = 'bulk saves';
  /** The last acknowledged version, by reference. */
  private readonly saved = new Map<string, number>();
  private connectionId = '';
  private calls = 0;
  private rejected = 0;

  async prepare(client: Client): Promise<void> {
    const wishes = { provider: 'push', kind: 'pms', name: 'Vendor', credentials: {}, settings: {} };
    this.connectionId = (await client.send('POST', '/connections', wishes)).id as string;
  }

  async run(client: Client, signal: AbortSignal): Promise<void> {
    await Promise.all(Array.from({ length: writers }, (_, writer) => this.save(client, writer, signal)));
  }

  async judge(client: Client): Promise<Verdict> {
    const counts = { 'saves lost': 0, 'guests doubled': 0, 'items rejected': this.rejected };
    for (const [reference, version] of this.saved) {
      const found = await client.find(`/connections/${this.connectionId}/guests/${reference}`);
      if (found?.name !== nameOf(reference, version)) counts['saves lost'] += 1;
    }
    const guests = await client.list<Guest>('/guests?q=Vendor');
    counts['guests doubled'] = Math.max(0, guests.length - this.saved.size);
    return { figures: { calls: this.calls, items: this.calls * referencesOfEach }, faults: faultsAmong(counts) };
  }

  private async save(client: Client, writer: number, signal: AbortSignal): Promise<void> {
    const references = Array.from({ length: referencesOfEach }, (_, index) => `${writer}-${index}`);
    for (let version = 1; !signal.aborted; version += 1) {
      const items = references.map((externalId) => ({
        externalId,
        name: nameOf(externalId, version),
        sourceVersion: version,
      }));
      const results = await client.send('POST', `/connections/${this.connectionId}/guests/bulk`, { items });
      this.rejected += (results as unknown as Result[]).filter(({ outcome }) => outcome === undefined).length;
      for (const reference of references) this.saved.set(reference, version);
      this.calls += 1;
    }
  }
}

const nameOf = (reference: string, version: number): string => `Vendor ${reference} ${version}`;
