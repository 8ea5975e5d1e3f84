import type { Caller } from '#access';
import type { PropertiesService } from './properties.service.js';

/**
 * The properties that a caller may limit a key or a member to: those asked for, or else its own limit (null is none).
 *
 * @throws not_found_error when the caller cannot see one of them.
 */
export async function propertyLimit(
  properties: PropertiesService,
  caller: Caller,
  asked: string[] | null,
): Promise<string[] | null> {
  for (const propertyId of asked ?? []) await properties.get(caller, propertyId);
  return asked ?? (caller.propertyIds && [...caller.propertyIds]);
}
