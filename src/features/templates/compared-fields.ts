/** The fields of a version that are compared; what threads load imports this, and not the classes of the interface. */
export const comparedFields = ['category', 'subject', 'preheader', 'body', 'textBody', 'variables'] as const;
