import type { NextFunction, Request, Response } from 'express';
import { Inject, Injectable, type NestMiddleware } from '@nestjs/common';
import { errorAnswer, forbidden } from '#errors';
import { CONFIG } from '../../platform/config/app.config.js';
import type { Config } from '../../platform/config/app.config.js';
import { sendError } from '../../platform/http/error-envelope.js';

const loopback = ['localhost', '127.0.0.1', '[::1]'];
const preflightSeconds = 86_400;
const exposed =
  'WWW-Authenticate, X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, ETag, Idempotent-Replayed';

/**
 * Runs before authentication: a page of another site, or a name that was rebound to this address, cannot talk to /mcp
 * (MCP, Streamable HTTP, security). Allowed origins get CORS.
 */
@Injectable()
export class BoundaryMiddleware implements NestMiddleware {
  private readonly hosts: ReadonlySet<string>;
  private readonly origins: ReadonlySet<string>;

  constructor(@Inject(CONFIG) { baseUrl, mcpUrl, allowedOrigins }: Config) {
    this.hosts = new Set([...loopback, new URL(baseUrl).hostname, new URL(mcpUrl).hostname]);
    this.origins = new Set([baseUrl, mcpUrl, ...allowedOrigins]);
  }

  use(request: Request, response: Response, next: NextFunction): void {
    const { host, origin } = request.headers;
    if (!this.hosts.has(hostnameOf(host)))
      return refuse(request, response, 'This host name is not allowed. Use the address of MCP_URL or BASE_URL.');
    if (origin === undefined) return next();
    if (!this.isWelcome(origin))
      return refuse(
        request,
        response,
        'This origin is not allowed at /mcp. An operator can add it to ALLOWED_ORIGINS.',
      );
    response.setHeader('Access-Control-Allow-Origin', origin).setHeader('Access-Control-Expose-Headers', exposed);
    response.vary('Origin');
    const isPreflight = request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined;
    if (!isPreflight) return next();
    response.setHeader('Access-Control-Allow-Methods', 'POST').setHeader('Access-Control-Max-Age', preflightSeconds);
    // Credentials are bearers, which browsers never add on their own, so every header may be sent.
    response.setHeader('Access-Control-Allow-Headers', request.headers['access-control-request-headers'] ?? '');
    response.status(204).end();
  }

  private isWelcome(origin: string): boolean {
    return this.origins.has(origin) || loopback.includes(/^https?:\/\/([^/]*?)(:\d+)?$/.exec(origin)?.[1] ?? '');
  }
}

const hostnameOf = (host = ''): string => /^(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(:\d+)?$/.exec(host.toLowerCase())?.[1] ?? '';

function refuse(request: Request, response: Response, message: string): void {
  const { requestId, action } = request.context;
  const answer = errorAnswer(forbidden(message), requestId, action);
  sendError(response, answer);
}
