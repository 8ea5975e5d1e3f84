import type { Request, Response } from 'express';
import { type ArgumentsHost, Catch, type ExceptionFilter, Injectable, Logger } from '@nestjs/common';
import { type Answer, asServiceError, ServiceError } from '#errors';
import { AddressLimitExceeded } from '../limits/address-limit-exceeded.js';
import { envelopeFor, sendError } from '../http/error-envelope.js';
import { messageOf } from './messages.js';
import { renderPage } from './page.js';
import { SeeOther } from './see-other.js';

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
    const told = asServiceError(error);
    const { status, headers } = told;
    if (status >= 500) {
      const cause = error instanceof ServiceError ? (error.cause ?? error) : error;
      this.log.error({ requestId, logId, err: cause as Error }, 'A page failed');
    }
    response.set(headers);
    renderPage(response, {
      title: titles[status] ?? 'Something went wrong',
      status,
      children: (
        <section class="panel">
          <h1>{titles[status] ?? 'Something went wrong'}</h1>
          <p role="alert">{status === 500 ? 'Something went wrong on our side. Please try again.' : messageOf(told)}</p>
          <p class="soft">Request {requestId}</p>
          <p class="below">
            <a href="/account">Go to your account</a>
          </p>
        </section>
      ),
    });
  }
}

/** Who meets the limit of an address is a program or shares the address with one; a page would cost more than it says. */
function sendEnvelope(response: Response, answer: Answer): void {
  sendError(response, answer);
}

const titles: Record<number, string> = {
  403: 'Not allowed',
  404: 'Not found',
  429: 'Too many requests',
  503: 'Temporarily unavailable',
};
