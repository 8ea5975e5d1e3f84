import { oneOf, type Random } from '../../faults/random-kills/random.js';
import type { Client } from './copies.js';
import type { Stay } from './pms.js';

export interface Sent {
  calls: number;
  aborted: number;
  stale: number;
  /** Unexpected errors. */
  refused: unknown[];
}

interface Sending {
  connectionId: string;
  stays: readonly Stay[];
  random: Random;
  /** The hash of the newest content of each stay. */
  hashes: Map<string, string>;
  newest: ReadonlyMap<string, Stay>;
  onAnswer?: (answered: number) => void;
}

/** After this many milliseconds, one request in ten is aborted: before, while, and after it is processed. */
const abortedAfterMs = [0, 2, 5, 10, 20, 40];
const share = 0.1;

/** Saves each stay, over as many connections as there are clients; aborted saves are sent again later, as new calls. */
export async function send(clients: readonly Client[], sending: Sending): Promise<Sent> {
  const { connectionId, random, hashes, newest, onAnswer } = sending;
  const sent: Sent = { calls: 0, aborted: 0, stale: 0, refused: [] };
  const waiting = [...sending.stays];
  const willAbort = new Set(waiting.filter(() => random() < share));
  let answered = 0;
  const save = async (pos: Client, stay: Stay): Promise<void> => {
    const isAborted = willAbort.delete(stay);
    const signal = isAborted ? AbortSignal.timeout(oneOf(random, abortedAfterMs)) : undefined;
    sent.calls += 1;
    try {
      const { meta } = await pos.saveReservationByRef({ connectionId, ...stay }, { signal });
      if (newest.get(stay.externalId) === stay) hashes.set(stay.externalId, meta.contentHash as string);
    } catch (error) {
      if (signal?.aborted) {
        sent.aborted += 1;
        waiting.push(stay);
      } else if ((error as { code?: string }).code === 'SOURCE_VERSION_STALE') sent.stale += 1;
      else sent.refused.push(error);
    }
    answered += 1;
    onAnswer?.(answered);
  };
  const lane = async (pos: Client): Promise<void> => {
    for (let stay = waiting.shift(); stay; stay = waiting.shift()) await save(pos, stay);
  };
  await Promise.all(clients.map(lane));
  return sent;
}
