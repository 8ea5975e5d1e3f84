import type { Search } from './where.js';

/** The pattern of ILIKE that finds text anywhere, without the spaces around it; wildcard characters in the text are escaped. */
export const containing = (text: string): string => `%${text.trim().replaceAll(/[\\%_]/g, '\\$&')}%`;

/** Looks for a pattern in the names of a table. The function returns ids out of their index; each such table has one. */
export const called = (table: string): Search => ({ inRow: 'name ilike ?', column: 'id', ids: `${table}_called(?)` });
