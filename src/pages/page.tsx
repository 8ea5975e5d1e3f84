import type { Response } from 'express';
import type { ComponentChildren } from 'preact';
import { renderToStaticMarkup } from 'preact-render-to-string';
import { type Asset, asset } from './assets.js';

const style = asset(new URL('./style.css', import.meta.url));

export interface Page {
  /** Shown in the browser's tab before the product's name. */
  title: string;
  /** 200 when left out. */
  status?: number;
  children: ComponentChildren;
  /** Origins beside our own that the page's forms may lead to: the redirect of an OAuth answer. */
  formTargets?: readonly string[];
  /** A script of ours that the page needs; without one, no script runs at all. */
  script?: Asset;
}

/** Answers with a page: our sheet, no other source, no framing, nothing kept by caches. */
export function renderPage(response: Response, { title, status = 200, children, formTargets, script }: Page): void {
  const markup = renderToStaticMarkup(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${title} · Property Operations`}</title>
        <link rel="stylesheet" href={style.path} />
        {/* None: otherwise browsers ask for /favicon.ico. */}
        <link rel="icon" href="data:," />
        {script && <script type="module" src={script.path} />}
      </head>
      <body>
        <main>
          <p class="wordmark">Property Operations</p>
          {children}
        </main>
      </body>
    </html>,
  );
  response
    .status(status)
    .set({
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy(formTargets, script !== undefined),
      'Referrer-Policy': 'same-origin',
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
    })
    .send(`<!doctype html>${markup}`);
}

/** Content Security Policy Level 3. Images may be data: for the QR code of an authenticator. */
const policy = (formTargets: readonly string[] = [], hasScript: boolean): string =>
  [
    "default-src 'none'",
    "style-src 'self'",
    ...(hasScript ? ["script-src 'self'"] : []),
    "img-src 'self' data:",
    ['form-action', "'self'", ...formTargets].join(' '),
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');
