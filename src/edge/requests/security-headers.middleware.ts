import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { Config } from '../../platform/config/app.config.js';

/**
 * What helmet would set for a JSON API, set directly because this is on the hot path; pages replace the policy with
 * their own. Responses belong to a credential, so nobody else may store them; public documents override this.
 */
export const securityHeadersFor = ({ baseUrl }: Pick<Config, 'baseUrl'>): [name: string, value: string][] => [
  ['X-Content-Type-Options', 'nosniff'],
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'; base-uri 'none'"],
  ['Referrer-Policy', 'no-referrer'],
  ['Cache-Control', 'no-store'],
  ...(baseUrl.startsWith('https:')
    ? [['Strict-Transport-Security', 'max-age=31536000; includeSubDomains'] as [string, string]]
    : []),
];

export function securityHeaders(config: Pick<Config, 'baseUrl'>): RequestHandler {
  const headers = securityHeadersFor(config);
  return (_request: Request, response: Response, next: NextFunction): void => {
    for (const [name, value] of headers) response.setHeader(name, value);
    next();
  };
}
