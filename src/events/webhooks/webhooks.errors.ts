import { conflict, invalidField, notFound, rejection } from '#errors';

export const endpointNotFound = () => notFound('webhook endpoint');
export const eventNotFound = () => notFound('event');

export const urlRefused = (why: string) => invalidField(['url'], `${why} Give a public https address.`);

export const eventTypeNotChosen = (index: number) =>
  invalidField(
    ['eventTypes', index],
    'The endpoint did not choose this type. Add it with updateWebhookEndpoint first.',
  );

export const eventNotWanted = () =>
  invalidField(['eventId'], 'The endpoint did not choose events of this type, or is kept from where it happened.');

export const endsBeforeItBegins = () => invalidField(['to'], 'Give a time after from.');

export const endpointIsDisabled = () =>
  conflict('WEBHOOK_ENDPOINT_DISABLED', 'The endpoint is disabled. Set its status to enabled first.');

export const nothingToReplay = rejection(
  'WEBHOOK_REPLAY_WITHOUT_EVENTS',
  'Say what to send again: one event by eventId alone, or those of a time by from, to and eventTypes.',
);

export const tooManyToReplay = rejection(
  'WEBHOOK_REPLAY_TOO_LARGE',
  'This is more than 10,000 events. Choose a shorter time or fewer types.',
);
