import type { Request, Response } from 'express';
import { type ArgumentsHost, Catch, type ExceptionFilter, Injectable, Logger } from '@nestjs/common';
import { type Answer, asServiceError, ServiceError } from '#errors';
import { AddressLimitExceeded } from '../limits/address-limit-exceeded.js';
import { envelopeFor, sendError } from '../http/error-envelope.js';
import { renderErrorPage } from './error-page.js';
import { SeeOther } from './see-other.js';

const account = { href: '/account', label: 'Go to your account' };

/** An error of a page, in words for the person who reads it. */
@Injectable()
@Catch()
export class PageErrorFilter implements ExceptionFilter {
  private readonly log = new Logger('pages');

  catch(error: unknown, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<Response>();
    if (error instanceof SeeOther) return response.redirect(303, error.location);
    const { context } = host.switchToHttp().getRequest<Request>();
    if (error instanceof AddressLimitExceeded) return sendEnvelope(response, envelopeFor(error, context));
    const { requestId, logId } = context;
    if (asServiceError(error).status >= 500) {
      const cause = error instanceof ServiceError ? (error.cause ?? error) : error;
      this.log.error({ requestId, logId, err: cause as Error }, 'A page failed');
    }
    renderErrorPage(response, error, { requestId, next: account });
  }
}

/** Who meets the limit of an address is a program or shares the address with one; a page would cost more than it says. */
function sendEnvelope(response: Response, answer: Answer): void {
  sendError(response, answer);
}
