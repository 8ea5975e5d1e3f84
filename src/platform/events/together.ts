import { ServiceError } from '#errors';
import type { EventsService } from './events.service.js';

/** @returns undefined if one of many is in the way of the others, so that each must be treated for itself. */
export async function together<T>(events: EventsService, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await events.attempt(work);
  } catch (error) {
    if (error instanceof ServiceError && error.status < 500) return undefined;
    throw error;
  }
}
