import type { Caller } from '#access';
import type { PropertiesService } from './properties.service.js';
import { organizationWide } from './property-limit.errors.js';

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

/**
 * Of operations whose reach is `record`: refuses a limited caller what has a wider limit than its own, or another one.
 *
 * @param limit the property limit of the member or the key that is to be changed; null where it has none.
 */
export function refuseBeyondLimit({ propertyIds }: Caller, limit: readonly string[] | null): void {
  const isWithin = propertyIds === null || limit?.every((id) => propertyIds.includes(id)) === true;
  if (!isWithin) throw organizationWide();
}
