import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { NextFunction, Request, Response } from 'express';
import { errorAnswer, invalidField, type ServiceError } from '#errors';
import { writeHead } from '../platform/http/error-envelope.js';

/**
 * What Node's parser refuses (bad HTTP, a flood of headers, a request that never ends) has no request to speak of; it is
 * answered with the envelope all the same, and the connection ends.
 */
export function answerParserErrors(server: Server): void {
  server.on('clientError', (_error: Error, socket: Socket) => {
    if (!socket.writable) return void socket.destroy();
    const id = randomUUID();
    const { status, body } = errorAnswer(unreadable(), id, { service: 'http', method: 'parse' });
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
  answerOurselves(server);
}

const unreadable = (): ServiceError =>
  invalidField([], 'This request is not valid HTTP/1.1, or its headers are too large. Send a well-formed request.');

/** Two answers that Node gives by itself, without an envelope, and that are ours to give: no Host, an odd Expect. */
function answerOurselves(server: Server & { requireHostHeader?: boolean }): void {
  server.requireHostHeader = false;
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    server.emit('request', request, response);
  });
}

/** HTTP/1.1 demands a Host (RFC 9112, section 3.2). */
export function requireHost(request: Request, response: Response, next: NextFunction): void {
  if (request.headers.host !== undefined || request.httpVersion !== '1.1') return next();
  const { requestId, action } = request.context;
  const answer = errorAnswer(invalidField(['Host'], 'Send a Host header.'), requestId, action);
  writeHead(response.setHeader('Connection', 'close'), answer);
  response.send(answer.body);
}
