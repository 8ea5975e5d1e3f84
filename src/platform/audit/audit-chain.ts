import { createHash } from 'node:crypto';
import { one, viewOf } from '#operations';
import { AuditEntryView } from './audit-entry.dto.js';

const entry = one(AuditEntryView);

/** The content of an entry that is signed and sealed: its public JSON, without the seal. */
export const contentOf = (written: AuditEntryView): string =>
  JSON.stringify(viewOf(entry, { ...written, seal: undefined }));

/**
 * The hash of an entry at its place in the chain of an organization, in hex: SHA-256 over the previous hash, the
 * position and the content, one per line. Anyone who has the entries can compute it.
 *
 * @param before the hash at the previous position; for the first entry the organization's id.
 * @param position counted from 1.
 */
export const hashOf = (before: string, position: number, content: string): string =>
  createHash('sha256').update(`${before}\n${position}\n${content}`).digest('hex');
