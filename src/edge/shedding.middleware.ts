import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { errorAnswer, unavailable } from '#errors';
import type { Overload } from '../health/overload.js';
import { isProbe } from '../health/probes.js';
import { writeHead } from './error-envelope.js';

const retryAfterSeconds = 1;

/**
 * While the process is overloaded, requests are refused at once, so that those which have begun come to an end. Probes
 * are always answered: a process that is busy is not to be restarted.
 */
export const shedWhileOverloaded =
  (overload: Overload): RequestHandler =>
  (request: Request, response: Response, next: NextFunction): void => {
    if (!overload.now || isProbe(request.path)) return next();
    const refusal = unavailable('The service is overloaded just now; send the request again.', retryAfterSeconds);
    const { requestId, action } = request.context;
    const answer = errorAnswer(refusal, requestId, action);
    writeHead(response, answer);
    response.send(answer.body);
  };
