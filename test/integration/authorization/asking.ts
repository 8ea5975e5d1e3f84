import { clock } from '../../support/clock.js';
import type { DoorReply } from '../../support/doors.js';

const atOnce = 8;
/** So that no access token reaches its limit of a thousand requests per minute. */
const pauseMs = 70;

/**
 * The faults of many requests, sent a few at a time while the clock advances.
 *
 * @param requests the maximum number of requests of each.
 */
export async function faultsOf<T>(
  items: readonly T[],
  fault: (item: T) => Promise<string | undefined>,
  requests = 1,
): Promise<string[]> {
  const found: (string | undefined)[] = [];
  for (let from = 0; from < items.length; from += atOnce) {
    clock.advance(pauseMs * atOnce * requests);
    found.push(...(await Promise.all(items.slice(from, from + atOnce).map(fault))));
  }
  return found.filter((text) => text !== undefined);
}

const shown = ({ status, body }: DoorReply): string => `${status} ${JSON.stringify(body)}`;

export const brief = (reply: DoorReply): string => shown(reply).slice(0, 240);

/** A response without the parts that may differ between two requests that must be indistinguishable. */
export const shape = (reply: DoorReply, ids: readonly string[]): string =>
  ids
    .reduce((text, id) => text.replaceAll(id, 'ID'), shown(reply))
    .replaceAll(/"(requestId|nextCursor|feedCursor)":"[^"]*"/g, '');
