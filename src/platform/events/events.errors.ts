import { forbidden } from '#errors';

export const eventsNotReadable = (missing: readonly string[]) =>
  forbidden(
    `Missing permission ${missing.join(', ')} for these types of events. Leave them out, or ask for it.`,
    undefined,
    {
      missing,
    },
  );
