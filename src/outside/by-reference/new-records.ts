import type { Connection } from '../connections/connection.entity.js';
import { beyondProperty } from './by-reference.errors.js';
import type { PushSettings } from './push-settings.dto.js';

/** Metadata of a new record, which has no keys to remove. */
export function newMetadata({ metadata }: { metadata?: Record<string, string | null> }): { metadata?: object } {
  if (!metadata) return {};
  return { metadata: Object.fromEntries(Object.entries(metadata).filter(([, text]) => text !== null)) };
}

/** @throws validation_error if the connection is for one property, and this is another one. */
export function refuseBeyond({ settings }: Connection, propertyId: unknown, field = 'propertyId'): void {
  const { propertyId: only } = settings as PushSettings;
  if (only && propertyId && propertyId !== only) throw beyondProperty(field);
}
