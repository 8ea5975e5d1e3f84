import type { Response } from 'express';
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import { type Answer, ServiceError } from '#errors';
import { contextOf } from '#operations';
import { envelopeFor, sendError } from '../platform/http/error-envelope.js';

/** Errors that never reach an interceptor, mainly those of the guards, with the same builder. */
@Catch()
export class ErrorEnvelopeFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): Promise<Answer> | undefined {
    const answer = envelopeFor(asOurs(error), contextOf(host));
    if (host.getType() !== 'http') return Promise.resolve(answer);
    const response = host.switchToHttp().getResponse<Response>();
    if (response.headersSent) {
      response.destroy();
      return undefined;
    }
    sendError(response, answer);
    return undefined;
  }
}

/** Errors that Nest and Express create, with our messages if the status is in the table. */
const asOurs = (error: unknown): unknown =>
  error instanceof HttpException
    ? new ServiceError({ status: error.getStatus(), message: error.message, cause: error })
    : error;
