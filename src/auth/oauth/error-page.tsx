import type { Request, Response } from 'express';
import type { Context } from 'oidc-provider';
import { renderPage } from '../../pages/page.js';

const sentences: Record<string, string> = {
  invalid_client: 'The application is not known here. Its registration may have ended; connect it anew.',
  invalid_redirect_uri: 'The application wants the answer at an address that it did not register, so it gets none.',
};

/** For what cannot be told to the application, because where it wants the answer is not known to be its own. */
export function renderAuthorizationError(ctx: Context, { error, error_description: why }: OAuthError): void {
  const { requestId } = (ctx.req as Request).context;
  ctx.respond = false;
  renderPage(ctx.res as Response, {
    title: 'The application could not be connected',
    status: ctx.status,
    children: (
      <section class="panel">
        <h1>The application could not be connected</h1>
        <p role="alert">{sentences[error] ?? why ?? 'Its request is not one that can be answered.'}</p>
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
