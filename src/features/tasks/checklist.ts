import { newId } from '#persistence';
import type { ChecklistEntry } from '../../tenancy/properties/work.dto.js';
import type { ChecklistItem } from './task.dto.js';

/** The checklist as it is stored: existing items keep their ids, new ones get one. */
export function checklistFrom(
  entries: readonly ChecklistEntry[],
  before: readonly ChecklistItem[] = [],
): ChecklistItem[] {
  const known = new Set(before.map(({ id }) => id));
  return entries.map(({ id, title, required = false, done = false, result = null }) => {
    const isKnown = id !== undefined && known.delete(id);
    return { id: isKnown ? id : newId('item'), title, required, done, result };
  });
}

/** The items that prevent completing the task: an item with a result is dealt with. */
export const openRequiredItems = (checklist: readonly ChecklistItem[]): ChecklistItem[] =>
  checklist.filter(({ required, done, result }) => required && !done && !result);

export const failedRequiredItems = (checklist: readonly ChecklistItem[]): ChecklistItem[] =>
  checklist.filter(({ required, result }) => required && result === 'failed');
