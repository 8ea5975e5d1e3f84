import type { Response } from 'express';
import { Logger } from '@nestjs/common';
import type { RequestContext } from '#context';
import { type Answer, asServiceError, errorAnswer, NotSetUp, publishRefusal, ServiceError } from '#errors';

const log = new Logger('edge');

/** What the operator has been told to set up. */
const told = new Set<string>();

function tellOnce({ message }: NotSetUp): void {
  if (told.has(message)) return;
  told.add(message);
  log.warn({ reason: message }, 'A request needs what is not set up; further ones like it are not logged');
}

/**
 * The envelope of an error. An unexpected error is logged with its cause, which clients never see. Temporary
 * rejections, as in an overload, are expected and frequent, so they are logged without a stack.
 */
export function envelopeFor(error: unknown, { requestId, logId, operation, action }: RequestContext): Answer {
  const { status } = asServiceError(error);
  if (error instanceof ServiceError && status === 503 && error.cause === undefined) {
    log.warn(
      { requestId, logId, operation: operation?.name, reason: error.message },
      'A request was rejected temporarily',
    );
  } else if (error instanceof NotSetUp) {
    tellOnce(error);
  } else if (status >= 500) {
    const cause = error instanceof ServiceError ? (error.cause ?? error) : error;
    log.error({ requestId, logId, operation: operation?.name, err: cause as Error }, 'A request failed');
  }
  const answer = errorAnswer(error, requestId, action);
  publishRefusal(operation, answer);
  return answer;
}

/** Answers an HTTP request with an error. */
export function sendError(response: Response, answer: Answer): void {
  writeHead(response, answer);
  response.send(JSON.stringify(answer.value));
}

/** Writes an answer to the HTTP response, all but its body. An error links to what the guide says about its code. */
export function writeHead(response: Response, { status, headers, code, value }: Answer): void {
  if (code) {
    const { key } = value.error.details ?? {};
    const entry = typeof key === 'string' ? key : code;
    response.setHeader('Link', `</docs/guides/errors#${entry}>; rel="help"`);
  }
  response.status(status).setHeader('Content-Type', 'application/json; charset=utf-8');
  for (const [name, text] of Object.entries(headers)) response.setHeader(name, text);
}
