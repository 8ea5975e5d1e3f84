import type { Response } from 'express';
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import { type Answer, ServiceError } from '#errors';
import { contextOf } from '#operations';
import { envelopeFor, writeHead } from '../platform/http/error-envelope.js';

/** What never reaches an interceptor, above all what the guards refuse, by the same builder. */
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
    writeHead(response, answer);
    response.send(answer.body);
    return undefined;
  }
}

/** What Nest and Express refuse by themselves, in our words where the status is in the table. */
const asOurs = (error: unknown): unknown =>
  error instanceof HttpException
    ? new ServiceError({ status: error.getStatus(), message: error.message, cause: error })
    : error;
