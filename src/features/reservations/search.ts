/** The pattern of ILIKE that finds text anywhere; wildcard characters in the text are escaped. */
export const containing = (text: string): string => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;

/** Ids of guests by the pattern, out of the index of names. */
export const guestsCalled = 'array(select guests_called(?))';
