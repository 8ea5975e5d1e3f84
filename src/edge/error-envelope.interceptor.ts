import type { Response } from 'express';
import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  Logger,
  type NestInterceptor,
  StreamableFile,
} from '@nestjs/common';
import { catchError, map, type Observable, of } from 'rxjs';
import type { RequestContext } from '#context';
import { type Answer, asServiceError, errorAnswer, ServiceError } from '#errors';
import { contextOf } from '#operations';

const log = new Logger('edge');

/** The envelope of an error that a request met; what was not foreseen is logged with its cause and told to nobody. */
export function envelopeFor(error: unknown, { requestId, operation, action }: RequestContext): Answer {
  const { status } = asServiceError(error);
  if (status >= 500) {
    const cause = error instanceof ServiceError ? (error.cause ?? error) : error;
    log.error({ requestId, operation: operation?.name, err: cause as Error }, 'A request failed');
  }
  return errorAnswer(error, requestId, action);
}

/** Writes an answer to the HTTP response, all but its body. */
export function writeHead(response: Response, { status, headers }: Answer): void {
  response.status(status).setHeader('Content-Type', 'application/json; charset=utf-8');
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}

/** Outermost: every operation leaves here as an answer, in the specification's envelope where it failed. */
@Injectable()
export class ErrorEnvelopeInterceptor implements NestInterceptor {
  intercept(host: ExecutionContext, next: CallHandler): Observable<unknown> {
    const context = contextOf(host);
    if (!context.operation) return next.handle();
    return next.handle().pipe(
      catchError((error: unknown) => of(envelopeFor(error, context))),
      map((answer: Answer | StreamableFile) =>
        context.door === 'mcp' || answer instanceof StreamableFile ? answer : this.send(host, answer),
      ),
    );
  }

  private send(host: ExecutionContext, answer: Answer): string {
    writeHead(host.switchToHttp().getResponse<Response>(), answer);
    return answer.body;
  }
}
