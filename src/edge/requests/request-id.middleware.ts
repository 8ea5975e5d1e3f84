import type { NextFunction, Request, Response } from 'express';
import { type RawInput, type ReadLarge, RequestContext } from '#context';
import { loopTime } from '#loop-time';
import { newId } from '#persistence';
import { shiftedBy } from '#shifted-time';
import { readRestInput } from '../../platform/http/rest-input.js';
import { requestIdOfLogId } from '../../platform/requests/logged-request.js';
import { containsKey } from './secret-text.js';
import { visitorOf } from '../overload/shedding.middleware.js';

const acceptable = /^[\x20-\x7e]{1,200}$/;

/** The one that the client sent, unless it is a key by mistake, or the log id's UUID. */
const requestIdOf = (header: string | string[] | undefined, logId: string): string =>
  typeof header === 'string' && acceptable.test(header) && !containsKey(header) ? header : requestIdOfLogId(logId);

/**
 * The first step of a request: its id, which every response carries, and its context. A path that cannot be decoded
 * goes to the unknown route, which rejects it after authentication and rate limit like any other.
 */
export function requestId(request: Request, response: Response, next: NextFunction): void {
  loopTime.enter(visitorOf(request));
  const logId = newId('request');
  const id = requestIdOf(request.headers['x-request-id'], logId);
  response.setHeader('X-Request-Id', id);
  // Node would tell the machine's time, which is not that of the limits in a test environment whose clock was moved.
  if (shiftedBy() !== 0) response.setHeader('Date', new Date().toUTCString());
  const readRaw = (readLarge: ReadLarge): Promise<RawInput> => readRestInput(request, readLarge);
  request.context = new RequestContext('rest', id, logId, readRaw, request.method);
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

/** Several headers of the name arrive as one text that is not a valid key, so they are rejected. */
const headerText = (request: Request, name: string): string | undefined =>
  request.headersDistinct[name] && request.headersDistinct[name].join('\n');

function isDecodable(path: string): boolean {
  try {
    return !decodeURIComponent(path).includes('\0');
  } catch {
    return false;
  }
}
