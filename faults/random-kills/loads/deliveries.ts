import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from '../../client.js';
import { Receiver } from '../../receiver.js';
import { faultsAmong, type Load, type Verdict } from './load.js';

const eventTypes = ['task.created', 'task.updated', 'task.completed'];
const quietMs = 1_000;

/** Tasks are created and changed; an external endpoint must receive each change, in order, with one id and body. */
export class Deliveries implements Load {
  readonly name = 'deliveries';
  private acknowledged = 0;
  private propertyId = '';

  private constructor(
    private readonly receiver: Receiver,
    /** Moves the clock of all processes past the next retries. */
    private readonly skipAhead: () => void,
    private readonly longestMs: number,
  ) {}

  static async start(skipAhead: () => void, longestMs = 5 * 60_000): Promise<Deliveries> {
    return new Deliveries(await Receiver.start(), skipAhead, longestMs);
  }

  async prepare(client: Client): Promise<void> {
    this.propertyId = (await client.send('POST', '/properties', { name: 'Lake House', timezone: 'UTC' })).id as string;
    const propertyIds = [this.propertyId];
    await client.send('POST', '/webhook-endpoints', { url: this.receiver.url, propertyIds, eventTypes });
  }

  async run(client: Client, signal: AbortSignal): Promise<void> {
    const { propertyId } = this;
    while (!signal.aborted) {
      const { id } = await client.send('POST', '/tasks', { name: 'Change the linen', propertyId });
      await client.send('PATCH', `/tasks/${id}`, { priority: 'high' });
      await client.send('POST', `/tasks/${id}/complete`, {});
      this.acknowledged += eventTypes.length;
    }
  }

  async judge(): Promise<Verdict> {
    const { receiver } = this;
    for (let seen = -1, from = performance.now(); receiver.delivered < this.acknowledged;) {
      if (performance.now() - from > this.longestMs) break;
      await wait(quietMs);
      if (seen === receiver.requests) this.skipAhead();
      seen = receiver.requests;
    }
    receiver.close();
    const figures = { events: this.acknowledged, attempts: receiver.requests, repeated: receiver.repeated };
    return {
      figures,
      faults: faultsAmong({
        'events never delivered': Math.max(0, this.acknowledged - receiver.delivered),
        'events of no acknowledged change': Math.max(0, receiver.delivered - this.acknowledged),
        'deliveries that changed': receiver.unstable,
        'deliveries out of order': receiver.misordered,
      }),
    };
  }
}
