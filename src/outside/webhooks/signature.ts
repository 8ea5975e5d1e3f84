import { createHmac, randomBytes } from 'node:crypto';
import { version } from '../../platform/config/version.js';
import type { EventView } from '../../platform/events/event.dto.js';

const prefix = 'whsec_';
const secretBytes = 32;

export const newWebhookSecret = (): string => prefix + randomBytes(secretBytes).toString('base64');

/** The body sent for an event, with the same bytes for every attempt. */
export const deliveryBody = (event: EventView): string =>
  JSON.stringify({ type: event.type, timestamp: event.occurredAt, data: event });

export interface Message {
  /** The event's id, which is the same for every attempt and replay, so that receivers can recognize duplicates. */
  id: string;
  /** When it is sent, in seconds since 1970. */
  timestamp: number;
  body: string;
}

/** The headers of a message (Standard Webhooks). */
export const headersOf = (message: Message, secrets: readonly string[]) => ({
  'content-type': 'application/json',
  'user-agent': `property-operations/${version}`,
  'webhook-id': message.id,
  'webhook-timestamp': String(message.timestamp),
  'webhook-signature': signatureOf(message, secrets),
});

/** One signature for each secret while a rotation is in progress. */
const signatureOf = ({ id, timestamp, body }: Message, secrets: readonly string[]): string =>
  secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(prefix.length), 'base64');
      return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
    })
    .join(' ');
