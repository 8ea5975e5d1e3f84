import { forbidden } from '#errors';

export const eventsNotReadable = (missing: readonly string[]) =>
  forbidden(
    `Missing permission ${missing.join(', ')} for these event types. Omit the types, or ask for the permission.`,
    undefined,
    {
      missing,
    },
  );
