import { conflict, invalidField, notFound, rejection } from '#errors';

export const endpointNotFound = () => notFound('webhook endpoint');
export const eventNotFound = () => notFound('event');

export const urlRefused = (why: string) => invalidField(['url'], `${why} Give a public https address.`);

export const unknownEventType = (index: number) =>
  invalidField(
    ['eventTypes', index],
    'There is no such event; take types from the webhooks of /openapi.json, or ["*"].',
  );

export const endpointIsDisabled = () =>
  conflict('WEBHOOK_ENDPOINT_DISABLED', 'The endpoint is disabled. Set its status to enabled first.');

export const nothingToReplay = rejection(
  'WEBHOOK_REPLAY_WITHOUT_EVENTS',
  'Say what to send again: one event by eventId, or those of a time by from and to.',
);

export const tooManyToReplay = rejection(
  'WEBHOOK_REPLAY_TOO_LARGE',
  'This is more than 10,000 events. Choose a shorter time or fewer types.',
);
