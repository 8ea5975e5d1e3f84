import { conflict, invalidField, recordNotFound, rejection } from '#errors';

export const endpointNotFound = recordNotFound('endpoint', 'listWebhookEndpoints', 'webhook endpoint');
export const eventNotFound = recordNotFound('event', 'listEvents');

export const urlRefused = (why: string) => invalidField(['url'], `${why} Pass a public https address.`);

export const eventTypeNotChosen = (index: number) =>
  invalidField(
    ['eventTypes', index],
    'The endpoint does not subscribe to this type. Add it with updateWebhookEndpoint first.',
  );

export const eventNotWanted = () =>
  invalidField(
    ['eventId'],
    'The endpoint does not subscribe to this type, or not to events at this property. Choose another event.',
  );

export const endsBeforeItBegins = () => invalidField(['to'], 'to must be after from. Pass a later time.');

export const endpointIsDisabled = () =>
  conflict('WEBHOOK_ENDPOINT_DISABLED', 'The endpoint is disabled. Enable it with updateWebhookEndpoint first.');

export const nothingToReplay = rejection(
  'WEBHOOK_REPLAY_WITHOUT_EVENTS',
  'Pass either eventId, to send one event again, or from (with to and eventTypes), to send those of a period.',
);

export const tooManyToReplay = rejection(
  'WEBHOOK_REPLAY_TOO_LARGE',
  'The period has more than 10,000 events. Choose a shorter one, or fewer types.',
);
