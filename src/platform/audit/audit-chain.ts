import { createHash } from 'node:crypto';
import { one, viewOf } from '#operations';
import { AuditEntryView } from '../../events/audit/audit-entry.dto.js';

const entry = one(AuditEntryView);

/** An entry as it is signed and sealed: its JSON as it is shown, without the seal. */
export const contentOf = (written: AuditEntryView): string =>
  JSON.stringify(viewOf(entry, { ...written, seal: undefined }));

/**
 * The hash of an entry at its place in the chain of an organization, in hex: SHA-256 over the hash before it, the
 * position and the content, a line each. Whoever has the entries can compute it.
 *
 * @param before the hash at the position before; of the first one the organization's id.
 * @param position counted from 1.
 */
export const hashOf = (before: string, position: number, content: string): string =>
  createHash('sha256').update(`${before}\n${position}\n${content}`).digest('hex');
