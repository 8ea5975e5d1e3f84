import type { Caller } from '#access';
import type { PropertiesService } from './properties.service.js';
import { organizationWide } from './property-limit.errors.js';

/**
 * The properties to which a caller may limit a key or a member: those requested, or else the caller's own limit (null
 * means no limit).
 *
 * @throws not_found_error if the caller cannot see one of them.
 */
export async function propertyLimit(
  caller: Caller,
  properties: PropertiesService,
  asked: string[] | null,
): Promise<string[] | null> {
  for (const propertyId of asked ?? []) await properties.get(caller, propertyId);
  return asked ?? (caller.propertyIds && [...caller.propertyIds]);
}

/**
 * For operations whose reach is `record`: rejects a limited caller if the record has a wider limit than the caller, or
 * a different one.
 *
 * @param limit the property limit of the member or the key to change; null if it has no limit.
 */
export function refuseBeyondLimit({ propertyIds }: Caller, limit: readonly string[] | null): void {
  const isWithin = propertyIds === null || limit?.every((id) => propertyIds.includes(id)) === true;
  if (!isWithin) throw organizationWide();
}
