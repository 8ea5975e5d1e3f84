import { LRUCache } from 'lru-cache';

const kept = new LRUCache<string, ReadonlySet<string>>({ max: 1_000 });

/**
 * The set of scopes in a text that separates them by spaces. Keys have few different lists of scopes and send many
 * requests, so one set is kept for each list, and whatever is derived from a set can be kept with it.
 */
export function scopeSet(text: string): ReadonlySet<string> {
  let set = kept.get(text);
  if (!set) kept.set(text, (set = new Set(text.split(' ').filter(Boolean))));
  return set;
}
