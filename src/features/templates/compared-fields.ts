/**
 * The fields of a version that are compared. Threads import this file, so that they do not load the interface's
 * classes.
 */
export const comparedFields = ['category', 'subject', 'preheader', 'body', 'textBody', 'variables'] as const;
