import type { Request, Response } from 'express';
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import { type Answer, ServiceError } from '#errors';
import { contextOf } from '#operations';
import { envelopeFor } from '../../platform/http/error-envelope.js';
import { sendPageOrEnvelope } from './error-page-or-envelope.js';

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
    else sendPageOrEnvelope(request, response, asOurs(error), answer);
    return Promise.resolve(answer);
  }
}

/** Errors that Nest and Express create, with our messages if the status is in the table. */
const asOurs = (error: unknown): unknown =>
  error instanceof HttpException
    ? new ServiceError({ status: error.getStatus(), message: error.message, cause: error })
    : error;
