import { conflict, forbidden, notFound } from '#errors';

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

export const suppressionIsEverywhere = () =>
  forbidden(
    'This credential is limited to some properties, and a suppression holds at all of them. Use one without that limit.',
  );
