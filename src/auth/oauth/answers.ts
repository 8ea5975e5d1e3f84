import type { Request } from 'express';
import type { Logger } from '@nestjs/common';
import type { Context, Middleware, Provider } from 'oidc-provider';
import { asServiceError, errorAnswer } from '#errors';
import { noSuchPath } from '../../platform/http/no-such-path.js';
import { endpoints } from './endpoints.js';
import { renderAuthorizationError } from './error-page.js';

/**
 * Wraps the library. Protocol errors keep their RFC's body and get our request id; failures, limits and unknown
 * addresses use our envelope; and the library's own session never leaves with a response.
 */
export function answerAsOurs(provider: Provider, log: Logger): Middleware {
  const failures = new WeakMap<object, unknown>();
  provider.on('server_error', (ctx: Context, error: unknown) => failures.set(ctx, error));
  return async (ctx, next) => {
    const { context } = ctx.req as Request;
    const { requestId, logId } = context;
    try {
      await next();
    } catch (error) {
      failures.set(ctx, error);
      ctx.status = 500;
    }
    const failure = failures.get(ctx);
    if (failures.has(ctx) && asServiceError(failure).status >= 500) {
      log.error({ requestId, logId, err: failure as Error }, 'The authorization server failed');
    }
    // By this point an error page has been sent.
    if (ctx.respond === false) return;
    dropSessionCookies(ctx);
    if (failures.has(ctx)) return envelope(ctx, failure, context);
    if (ctx.status === 404 && !ctx.body) return envelope(ctx, noSuchPath(), context);
    if (ctx.status >= 400 && isProtocolError(ctx.body)) ctx.body = { ...ctx.body, meta: { requestId } };
  };
}

/** The database cannot store NUL, and no parameter may contain one (RFC 6749, appendix A). In an address it is %00. */
export const refuseNul: Middleware = async (ctx, next) => {
  if (ctx.path !== endpoints.authorization || !ctx.req.url?.includes('%00')) return next();
  ctx.status = 400;
  renderAuthorizationError(ctx, {
    error: 'invalid_request',
    error_description: 'A parameter of the request contains a NUL character.',
  });
};

const isProtocolError = (body: unknown): body is { error: string } =>
  typeof body === 'object' && body !== null && 'error' in body;

function envelope(ctx: Context, error: unknown, { requestId, action }: Request['context']): void {
  const answer = errorAnswer(error, requestId, action);
  ctx.status = answer.status;
  ctx.body = JSON.stringify(answer.value);
  ctx.set('Content-Type', 'application/json; charset=utf-8');
  for (const [name, value] of Object.entries(answer.headers)) ctx.set(name, value);
}

function dropSessionCookies({ res }: Context): void {
  const cookies = [res.getHeader('set-cookie') ?? []].flat().map(String);
  const kept = cookies.filter((cookie) => !/^_session(\.legacy)?(\.sig)?=/.test(cookie));
  if (kept.length > 0) res.setHeader('set-cookie', kept);
  else res.removeHeader('set-cookie');
}
