import type { Response } from 'express';

/**
 * Sends a text as the body, in the same piece as the head. Express' own `send` would encode it into a buffer first.
 * Most texts are ASCII, which has the same bytes in Latin-1: Node copies them, and encodes nothing.
 */
export function sendText(response: Response, text: string): void {
  const bytes = Buffer.byteLength(text);
  response.setHeader('Content-Length', bytes).end(text, bytes === text.length ? 'latin1' : 'utf8');
}
