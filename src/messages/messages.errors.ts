import { conflict, notFound } from '#errors';

export const messageNotFound = () => notFound('message');

export const guestNotFound = () => notFound('guest');

export const memberNotFound = () => notFound('member');

export const stayNotFound = () => notFound('reservation');

export const suppressionNotFound = () => notFound('suppression');

export const alreadySuppressed = (suppressionId: string) =>
  conflict(
    'ALREADY_SUPPRESSED',
    'The address is suppressed already. Remove that suppression to change what it covers.',
    {
      suppressionId,
    },
  );
