/** The pattern of ILIKE that finds text anywhere; what the language reads as wildcards stands for itself. */
export const containing = (text: string): string => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
