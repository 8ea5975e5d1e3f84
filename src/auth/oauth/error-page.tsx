import type { Request, Response } from 'express';
import type { Context } from 'oidc-provider';
import { asServiceError } from '#errors';
import { renderPage } from '../../platform/pages/page.js';

const sentences: Record<string, string> = {
  invalid_client: 'The application is not known here. Its registration may have ended; connect it anew.',
  invalid_redirect_uri: 'The application wants the answer at an address that it did not register, so it gets none.',
  server_error: 'Something failed on our side. Please try again.',
};

/**
 * For what cannot be told to the application: where it wants the answer is not known to be its own, or we failed.
 *
 * @param thrown what a `server_error` comes from.
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
        <p role="alert">{sentence ?? 'Its request is not one that can be answered.'}</p>
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
