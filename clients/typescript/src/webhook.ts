import { createHmac, timingSafeEqual } from 'node:crypto';
import type { components } from './generated/schema.js';

export interface Webhook {
  headers: Headers | Record<string, string | string[] | undefined>;
  /** The body as it was received: parsed and written again, its signature is another one. */
  body: string | Uint8Array;
  /** The secret of the endpoint (whsec_…). */
  secret: string;
  /** How old a delivery may be, so that nobody sends an old one again. Default: 300. */
  toleranceSeconds?: number;
}

/** Somebody else sent this, or changed it, or it is too old. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}

/**
 * The event of a delivery (Standard Webhooks), of the form that events of the feed have.
 *
 * @throws WebhookVerificationError if its signature is not of this secret.
 */
export function verifyWebhook({
  headers,
  body,
  secret,
  toleranceSeconds = 300,
}: Webhook): components['schemas']['EventView'] {
  if (typeof body !== 'string' && !(body instanceof Uint8Array))
    throw new WebhookVerificationError('Pass the body as it was received, before it is parsed.');
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(headers, name),
  ) as [string, string, string];
  if (!(Math.abs(Date.now() / 1_000 - Number(timestamp || Number.NaN)) <= toleranceSeconds))
    throw new WebhookVerificationError('The delivery has no timestamp, or an old one.');
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  // Anyone can sign with an empty key.
  if (key.length === 0) throw new WebhookVerificationError('Pass the secret of the endpoint.');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
  const isSigned = signatures.split(' ').some((signature) => {
    const given = Buffer.from(signature.replace(/^v1,/, ''), 'base64');
    return signature.startsWith('v1,') && given.length === expected.length && timingSafeEqual(given, expected);
  });
  if (!isSigned) throw new WebhookVerificationError('The signature is not of this secret and body.');
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  return (JSON.parse(text) as { data: components['schemas']['EventView'] }).data;
}

function headerOf(headers: Webhook['headers'], name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? '';
  const [, value = ''] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? [];
  return Array.isArray(value) ? value.join(' ') : value;
}
