import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';
import { RequestContext } from '#context';
import { loopTime } from '#loop-time';
import { newId } from '#persistence';
import { visitorOf } from './shedding.middleware.js';
import { readRestInput } from '../platform/http/rest-input.js';

const acceptable = /^[\x20-\x7e]{1,200}$/;

export const requestIdOf = (header: string | string[] | undefined): string =>
  typeof header === 'string' && acceptable.test(header) ? header : randomUUID();

/**
 * The first thing that a request meets: its id, which every answer carries, and its context. An address that cannot be
 * decoded is sent on to the unknown route, where it is refused after authentication and rate limit as anything else.
 */
export function requestId(request: Request, response: Response, next: NextFunction): void {
  loopTime.enter(visitorOf(request));
  const id = requestIdOf(request.headers['x-request-id']);
  response.setHeader('X-Request-Id', id);
  request.context = new RequestContext('rest', id, newId('request'), () => readRestInput(request), request.method);
  request.context.idempotencyKey = headerText(request, 'idempotency-key');
  request.context.ifMatch = request.headers['if-match'];
  request.context.prefer = request.headersDistinct.prefer?.join(',');
  const path = request.url.split('?', 1)[0] as string;
  if (!isDecodable(path)) {
    request.context.malformedPath = true;
    request.url = path.startsWith('/api/v1/') ? '/api/v1/%3F' : path.startsWith('/mcp') ? '/mcp/%3F' : '/%3F';
  }
  next();
}

/** Several headers of the name come as one text that is no key, so that they are refused. */
const headerText = (request: Request, name: string): string | undefined =>
  request.headersDistinct[name] && request.headersDistinct[name].join('\n');

function isDecodable(path: string): boolean {
  try {
    return !decodeURIComponent(path).includes('\0');
  } catch {
    return false;
  }
}
