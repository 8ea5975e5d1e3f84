import { createHash } from 'node:crypto';
import { canonicalJson } from '#idempotency';
import { type Known, type Save, unsaid } from '../../tenancy/references/references.repository.js';
import type { VersionedReference } from './by-reference.dto.js';
import { versionIsStale } from './by-reference.errors.js';
import { compareVersions } from './source-version.js';

const hashOf = (value: unknown): string => createHash('sha256').update(canonicalJson(value)).digest('base64url');

/** Of each field only a hash is kept, since people are to be erased without a trace. */
export function saveOf(content: object, sourceVersion: VersionedReference['sourceVersion']): Save {
  const given = Object.entries(content).filter(([, value]) => value !== undefined);
  return {
    sourceVersion: sourceVersion === undefined ? null : String(sourceVersion),
    contentHash: hashOf(content),
    said: Object.fromEntries(given.map(([name, value]) => [name, hashOf(value).slice(0, 12)])),
  };
}

/**
 * The fields that have changed.
 *
 * @param initially what a first save says where it leaves a field out. After an undo, a save is like a first one.
 */
export function differing<Content extends object>(
  content: Content,
  { said }: Save,
  known: Known,
  initially: object = {},
): Partial<Content> {
  const isOther = ([name]: [string, unknown]): boolean => said[name] !== known.said?.[name];
  const changed = Object.fromEntries(Object.entries(content).filter(isOther)) as Partial<Content>;
  return known.contentHash === unsaid ? { ...initially, ...changed } : changed;
}

/**
 * Whether the same version was saved before.
 *
 * @throws conflict_error if a newer one was, or other content under the same version.
 */
export function isSaved(known: Known, { sourceVersion, contentHash }: Save): boolean {
  if (!known.sourceVersion || sourceVersion === null) return false;
  const order = compareVersions(sourceVersion, known.sourceVersion);
  if (order > 0 || (order === 0 && known.contentHash === unsaid)) return false;
  if (order < 0 || contentHash !== known.contentHash)
    throw versionIsStale(shown(known.sourceVersion), shown(sourceVersion));
  return true;
}

const shown = (version: string): number | string => (/^\d+$/.test(version) ? Number(version) : version);
