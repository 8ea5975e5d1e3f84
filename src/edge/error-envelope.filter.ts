import type { Request, Response } from 'express';
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import { type Answer, asServiceError, ServiceError } from '#errors';
import { contextOf } from '#operations';
import { envelopeFor, sendError } from '../platform/http/error-envelope.js';
import { wantsPage } from '../platform/http/wants-page.js';
import { AddressLimitExceeded } from '../platform/limits/address-limit-exceeded.js';
import { renderErrorPage } from '../platform/pages/error-page.js';

/**
 * Errors that never reach an interceptor, mainly those of the guards, with the same builder; a page if a person asked.
 */
@Catch()
export class ErrorEnvelopeFilter implements ExceptionFilter {
  /** @returns the answer even when it was sent: undefined would tell Nest that nobody has caught the error. */
  catch(error: unknown, host: ArgumentsHost): Promise<Answer> {
    const context = contextOf(host);
    const answer = envelopeFor(asOurs(error), context);
    context.answer = answer;
    if (host.getType() !== 'http') return Promise.resolve(answer);
    const response = host.switchToHttp().getResponse<Response>();
    const request = host.switchToHttp().getRequest<Request>();
    if (response.headersSent) response.destroy();
    else if (wantsPage(request)) sendPage(request, response, asOurs(error));
    else sendError(response, answer);
    return Promise.resolve(answer);
  }
}

/** For a person: addresses of ours that they may have mistyped, and pages that failed before they began. */
function sendPage({ context: { requestId } }: Request, response: Response, error: unknown): void {
  const isMissing = asServiceError(error).status === 404;
  renderErrorPage(response, error, {
    requestId,
    message: isMissing ? 'There is no page at this address. Check how it is spelled.' : forPeople(error),
    next: { href: '/', label: 'Go to the start page' },
  });
}

const forPeople = (error: unknown): string | undefined =>
  error instanceof AddressLimitExceeded ? error.forPeople : undefined;

/** Errors that Nest and Express create, with our messages if the status is in the table. */
const asOurs = (error: unknown): unknown =>
  error instanceof HttpException
    ? new ServiceError({ status: error.getStatus(), message: error.message, cause: error })
    : error;
