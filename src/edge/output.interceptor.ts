import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { map, type Observable } from 'rxjs';
import type { Answer } from '#errors';
import { contextOf, type Stream, successBody } from '#operations';
import { EventStreams } from './event-stream.js';

/** Innermost: turns what a handler returns into the answer's bytes: only fields of the output class leave the service. */
@Injectable()
export class OutputInterceptor implements NestInterceptor {
  constructor(private readonly streams: EventStreams) {}

  intercept(host: ExecutionContext, next: CallHandler): Observable<unknown> {
    const context = contextOf(host);
    const { operation, requestId } = context;
    if (!operation) return next.handle();
    context.onHandling?.();
    if (operation.output.kind === 'stream') {
      return next
        .handle()
        .pipe(map((records: Stream<{ id: string }>) => this.streams.answer(context, operation, records)));
    }
    return next.handle().pipe(
      map((result: unknown): Answer => ({
        status: operation.status,
        body: successBody(operation.output, result, requestId),
        headers: entityTag(result),
      })),
    );
  }
}

const entityTag = (result: unknown): Record<string, string> => {
  const { version } = result as { version?: unknown };
  return typeof version === 'number' ? { ETag: `"${version}"` } : {};
};
