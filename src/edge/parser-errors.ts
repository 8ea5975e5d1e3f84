import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { errorAnswer, invalidField } from '#errors';

/**
 * What Node's parser refuses (bad HTTP, a flood of headers, a request that never ends) has no request to speak of; it is
 * answered with the envelope all the same, and the connection ends.
 */
export function answerParserErrors(server: Server): void {
  server.on('clientError', (_error: Error, socket: Socket) => {
    if (!socket.writable) return void socket.destroy();
    const id = randomUUID();
    const { status, body } = errorAnswer(invalidField([], 'This is not a request that HTTP/1.1 can read.'), id);
    socket.end(
      [
        `HTTP/1.1 ${status} Bad Request`,
        'Content-Type: application/json; charset=utf-8',
        `Content-Length: ${Buffer.byteLength(body)}`,
        `X-Request-Id: ${id}`,
        'Connection: close',
        '',
        body,
      ].join('\r\n'),
    );
  });
}
