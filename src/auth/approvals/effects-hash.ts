import { createHash } from 'node:crypto';
import { canonicalJson } from '#idempotency';
import type { Happening } from '../../platform/events/happening.js';

/** Fields that differ each time. */
const volatile = new Set(['createdAt', 'updatedAt', 'version', 'prefix', 'sequence', 'contentHash']);
const isId = /^([a-z]+(?:_[a-z]+)*)_([0-9a-f]{12})[0-9a-f]{20}$/;
const isMoment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
/** Longer than a rehearsal takes. */
const aMinuteMs = 60_000;

/**
 * What a request would change, as a hash that is the same as long as the effects are: without ids and moments that are
 * new each time.
 *
 * @param startedAt when the rehearsal or the request began, in milliseconds.
 */
export function effectsHash(happened: readonly Happening[], startedAt: number): string {
  const lines = happened.map(({ type, follows, beside = null, change: { target, before, after } }) => {
    const effect = { type, target, before: before ?? null, after: after ?? null, beside };
    return canonicalJson({ ...(steady(effect, startedAt) as object), was: follows ? null : versionOf(before) });
  });
  return createHash('sha256').update(lines.sort().join('\n')).digest('hex');
}

/** A record that was changed since is another one, also where what the request changes of it is the same. */
const versionOf = (before: unknown): unknown => (before as { version?: unknown } | null | undefined)?.version ?? null;

function steady(value: unknown, startedAt: number): unknown {
  if (typeof value === 'string') return steadyText(value, startedAt);
  if (Array.isArray(value)) return value.map((item) => steady(item, startedAt));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([name]) => !volatile.has(name));
  return Object.fromEntries(entries.map(([name, item]) => [name, steady(item, startedAt)]));
}

/** Ids begin with the moment of their making (UUIDv7). People write moments without milliseconds; others follow from now. */
function steadyText(text: string, startedAt: number): string {
  const [, kind, madeAt] = isId.exec(text) ?? [];
  if (madeAt !== undefined) return Number.parseInt(madeAt, 16) >= startedAt ? `${kind}_new` : text;
  if (!isMoment.test(text)) return text;
  const sinceMs = Date.parse(text) - startedAt;
  if (sinceMs < 0) return text;
  return sinceMs < aMinuteMs ? 'now' : text.endsWith('.000Z') ? text : 'later';
}
