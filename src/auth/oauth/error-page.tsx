import type { Request, Response } from 'express';
import type { Context } from 'oidc-provider';
import { asServiceError } from '#errors';
import { renderPage } from '../../platform/pages/page.js';

const sentences: Record<string, string> = {
  invalid_client: 'This application is not registered here. Its registration may have expired; connect it again.',
  invalid_redirect_uri: 'The application requested the response at an address that it did not register.',
  server_error: 'Something went wrong on our side. Please try again.',
};

/**
 * For errors that cannot be sent to the application: its address is not verified, or we failed.
 *
 * @param thrown the cause of a `server_error`.
 */
export function renderAuthorizationError(ctx: Context, refusal: OAuthError, thrown?: unknown): void {
  const { requestId } = (ctx.req as Request).context;
  const { error, error_description: why } = refusal;
  const failure = error === 'server_error' ? asServiceError(thrown) : undefined;
  const sentence = failure && failure.status !== 500 ? failure.message : (sentences[error] ?? why);
  const response = (ctx.res as Response).set(failure?.headers ?? {});
  ctx.respond = false;
  renderPage(response, {
    title: 'The application could not be connected',
    status: failure?.status ?? ctx.status,
    children: (
      <section class="panel">
        <h1>The application could not be connected</h1>
        <p role="alert">{sentence ?? 'Its request is invalid.'}</p>
        <p class="soft">
          {error} · Request {requestId}
        </p>
      </section>
    ),
  });
}

interface OAuthError {
  error: string;
  error_description?: string;
}
