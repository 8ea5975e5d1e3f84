import { createHash } from 'node:crypto';
import { canonicalJson } from '#idempotency';
import type { AuditEntryView } from './audit-entry.dto.js';

/** An entry as it is signed and sealed: JSON with its keys in order, all that is shown of it but the seal. */
export const contentOf = ({ seal: _, ...entry }: AuditEntryView): string => canonicalJson(entry);

/**
 * The hash of an entry at its place in the chain of an organization, in hex: SHA-256 over the hash before it, the
 * position and the content, a line each. Whoever has the entries can compute it.
 *
 * @param before the hash at the position before; of the first one the organization's id.
 * @param position counted from 1.
 */
export const hashOf = (before: string, position: number, content: string): string =>
  createHash('sha256').update(`${before}\n${position}\n${content}`).digest('hex');
