import type { NestInterceptor } from '@nestjs/common';
import type { Response } from 'express';
import { tap } from 'rxjs';

/**
 * Fails the request of a page whose controller ends without a response, because a test would wait until its time limit.
 */
export const failUnanswered: NestInterceptor = {
  intercept: (host, next) =>
    next.handle().pipe(
      tap((result) => {
        const response = host.switchToHttp().getResponse<Partial<Response> | undefined>();
        // Nest sends what is returned without waiting.
        if (result === undefined && response?.headersSent === false) setImmediate(() => failLate(response as Response));
      }),
    ),
};

function failLate(response: Response): void {
  if (!response.headersSent && !response.destroyed) response.status(500).send('The controller ended without an answer');
}
