import type { Request, Response } from 'express';
import { type ArgumentsHost, Catch, type ExceptionFilter, Injectable, Logger } from '@nestjs/common';
import { asServiceError, ServiceError } from '#errors';
import { AddressLimitExceeded } from '../limits/address-limit-exceeded.js';
import { envelopeFor, sendError } from '../http/error-envelope.js';
import { wantsPage } from '../http/wants-page.js';
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
    const request = host.switchToHttp().getRequest<Request>();
    const { context } = request;
    const isLimit = error instanceof AddressLimitExceeded;
    // Mostly programs reach the limit of an address, and creating a page for them would be wasted work.
    if (isLimit && !wantsPage(request)) return sendError(response, envelopeFor(error, context));
    const { requestId, logId } = context;
    if (asServiceError(error).status >= 500) {
      const cause = error instanceof ServiceError ? (error.cause ?? error) : error;
      this.log.error({ requestId, logId, err: cause as Error }, 'A page failed');
    }
    renderErrorPage(response, error, { requestId, message: isLimit ? error.forPeople : undefined, next: account });
  }
}
