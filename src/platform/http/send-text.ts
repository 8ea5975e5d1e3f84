import type { Response } from 'express';
import { ownTurn } from '#turns';

/** A longer text is written in parts of this many characters or bytes, each in its own turn of the event loop. */
const longText = 131_072;

/**
 * Sends a text as the body, in the same piece as the head. Express' own `send` would encode it into a buffer first.
 * Most texts are ASCII, which has the same bytes in Latin-1: Node copies them, and encodes nothing.
 */
export function sendText(response: Response, text: string): void {
  const bytes = Buffer.byteLength(text);
  const encoding = bytes === text.length ? 'latin1' : 'utf8';
  response.setHeader('Content-Length', bytes);
  if (bytes <= longText) response.end(text, encoding);
  else void sendInParts(response, encoding === 'latin1' ? text : Buffer.from(text), bytes);
}

/** Copying a megabyte to the socket takes several milliseconds, for which others would wait. */
async function sendInParts(response: Response, body: string | Buffer, length: number): Promise<void> {
  for (let at = 0; at < length; at += longText) {
    await ownTurn();
    // The client has disconnected.
    if (response.destroyed) return;
    const to = at + longText;
    if (typeof body === 'string') response.write(body.slice(at, to), 'latin1');
    else response.write(body.subarray(at, to));
  }
  response.end();
}
