import type { Search } from './where.js';

/** Fewer characters have no trigram, by which indexes find text. */
const shortest = 3;

/** The pattern of ILIKE that finds text anywhere, without the spaces around it; wildcard characters in the text are escaped. */
export function containing(text: string): string {
  const trimmed = text.trim();
  return `%${(trimmed.length < shortest ? text : trimmed).replaceAll(/[\\%_]/g, '\\$&')}%`;
}

/** Looks for a pattern in the names of a table. The function returns ids out of their index; each such table has one. */
export const called = (table: string): Search => ({ inRow: 'name ilike ?', column: 'id', ids: `${table}_called(?)` });
