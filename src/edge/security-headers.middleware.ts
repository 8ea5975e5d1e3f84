import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { Config } from '../platform/config/app.config.js';

/**
 * What helmet would set for a JSON API, set directly because this is on the hot path; pages replace the policy with
 * their own. Responses belong to a credential, so nobody else may store them; public documents override this.
 */
export function securityHeaders({ baseUrl }: Pick<Config, 'baseUrl'>): RequestHandler {
  const isSecure = baseUrl.startsWith('https:');
  return (_request: Request, response: Response, next: NextFunction): void => {
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
    response.setHeader('Referrer-Policy', 'no-referrer');
    response.setHeader('Cache-Control', 'no-store');
    if (isSecure) response.setHeader('Strict-Transport-Security', 'max-age=31536000');
    next();
  };
}
