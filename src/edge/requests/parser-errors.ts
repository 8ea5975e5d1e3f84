import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { NextFunction, Request, Response } from 'express';
import { errorAnswer, invalidField, type ServiceError } from '#errors';
import { sendError } from '../../platform/http/error-envelope.js';

/**
 * Errors of Node's parser (bad HTTP, a flood of headers, a request that never ends) have no request object. They still
 * get the envelope, and the connection closes.
 */
export function answerParserErrors(server: Server, headers: readonly [name: string, value: string][]): void {
  server.on('clientError', (_error: Error, socket: Socket) => {
    if (!socket.writable) return void socket.destroy();
    const id = randomUUID();
    const { status, value } = errorAnswer(unreadable(), id, { service: 'http', method: 'parse' });
    const body = JSON.stringify(value);
    socket.end(
      [
        `HTTP/1.1 ${status} Bad Request`,
        'Content-Type: application/json; charset=utf-8',
        `Content-Length: ${Buffer.byteLength(body)}`,
        `X-Request-Id: ${id}`,
        ...headers.map((header) => header.join(': ')),
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

/** Two responses that Node would send without an envelope, and that we send instead: no Host, an unknown Expect. */
function answerOurselves(server: Server & { requireHostHeader?: boolean }): void {
  server.requireHostHeader = false;
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    server.emit('request', request, response);
  });
}

/** HTTP/1.1 requires a Host (RFC 9112, section 3.2). */
export function requireHost(request: Request, response: Response, next: NextFunction): void {
  if (request.headers.host !== undefined || request.httpVersion !== '1.1') return next();
  const { requestId, action } = request.context;
  const answer = errorAnswer(invalidField(['Host'], 'Send a Host header.'), requestId, action);
  sendError(response.setHeader('Connection', 'close'), answer);
}
