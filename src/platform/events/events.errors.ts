import { conflict, forbidden } from '#errors';

export const eventsNotReadable = (missing: readonly string[]) =>
  forbidden(
    `Missing permission ${missing.join(', ')} for these event types. Omit the types, or ask for the permission.`,
    undefined,
    {
      missing,
    },
  );

export const tooManyStreams = (most: number) =>
  conflict(
    'TOO_MANY_STREAMS',
    `This organization already has ${most} open streams. Close one, or poll with listEvents.`,
  );
