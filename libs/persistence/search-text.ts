/** The pattern of ILIKE that finds text anywhere; wildcard characters in the text are escaped. */
export const containing = (text: string): string => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;

/** The ids of rows whose name has the pattern, out of the index of names; each table that is searched has this function. */
export const idsCalled = (table: string): string => `array(select ${table}_called(?))`;
