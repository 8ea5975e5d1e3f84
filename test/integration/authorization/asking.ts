import { clock } from '../../support/clock.js';
import type { DoorReply } from '../../support/doors.js';

const atOnce = 8;
/** So that no access token meets its limit of a thousand requests a minute. */
const pauseMs = 70;

/**
 * The faults of any of many requests, sent a few at a time while the clock advances.
 *
 * @param requests how many each of them takes at most.
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

/** An answer without what alone may differ between two requests that must not be told apart. */
export const shape = (reply: DoorReply, ids: readonly string[]): string =>
  ids
    .reduce((text, id) => text.replaceAll(id, 'ID'), shown(reply))
    .replaceAll(/"(requestId|nextCursor|feedCursor)":"[^"]*"/g, '');
