import { createHash } from 'node:crypto';
import type { Response } from 'express';
import type { ComponentChildren } from 'preact';
import { renderToStaticMarkup } from 'preact-render-to-string';
import { type Asset, asset } from './assets.js';
import { style } from './style.js';

const account = asset(new URL('./account.css', import.meta.url));

export interface Page {
  /** Shown in the browser's tab, before the product's name on pages of ours. */
  title: string;
  /** 200 when left out. */
  status?: number;
  children: ComponentChildren;
  /** Origins beside our own that the page's forms may lead to: the redirect of an OAuth answer. */
  formTargets?: readonly string[];
  /** A script of ours that the page needs; without one, no script runs at all. */
  script?: Asset;
  /** Set if the page shows an organization's own content to anyone: in its language, without the product's name. */
  published?: Published;
  /** What is around the page, where it is more than a column. */
  frame?: Frame;
}

export interface Frame {
  /** Laid over the sheet of all pages. */
  sheet: Asset;
  script: Asset;
  /** Where the browser hears that the page has changed. */
  live?: string;
  before: ComponentChildren;
}

export interface Published {
  lang: string;
  dir: 'ltr' | 'rtl';
  /** Laid over the sheet of all pages. */
  sheet: Asset;
  /** How long caches may keep it before they ask whether it changed. */
  maxAgeSeconds: number;
}

/** Sends a page: our stylesheet, no other source, no framing; not cached unless it is published. */
export function renderPage(response: Response, page: Page): void {
  const { title, status = 200, children, formTargets, published, frame, script = frame?.script } = page;
  const markup = renderToStaticMarkup(
    <html lang={published?.lang ?? 'en'} dir={published?.dir}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{published ? title : `${title} · Property Operations`}</title>
        <link rel="stylesheet" href={style.path} />
        <link rel="stylesheet" href={(published?.sheet ?? account).path} />
        {/* None: otherwise browsers ask for /favicon.ico. */}
        <link rel="icon" href="data:," />
        {frame && <link rel="stylesheet" href={frame.sheet.path} />}
        {script && <script type="module" src={script.path} />}
      </head>
      <body class={frame && 'framed'}>
        {frame?.before}
        <main id="main" data-live={frame?.live} tabindex={frame && -1}>
          {!published && !frame && <p class="wordmark">Property Operations</p>}
          {children}
        </main>
      </body>
    </html>,
  );
  const html = `<!doctype html>${markup}`;
  response
    .status(status)
    .set({
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy(formTargets, script !== undefined, frame?.live !== undefined),
      'Referrer-Policy': 'same-origin',
      'X-Content-Type-Options': 'nosniff',
      ...(published ? cacheable(html, published.maxAgeSeconds) : { 'Cache-Control': 'no-store' }),
    })
    .send(html);
}

/** Express responds 304 to clients that have the version of that tag (RFC 9110, If-None-Match). */
const cacheable = (html: string, maxAgeSeconds: number): Record<string, string> => ({
  'Cache-Control': `public, max-age=${maxAgeSeconds}`,
  ETag: `"${createHash('sha256').update(html).digest('base64url').slice(0, 27)}"`,
});

/** Content Security Policy Level 3. Images may be data: for the QR code of an authenticator. */
const policy = (formTargets: readonly string[] = [], hasScript: boolean, isLive: boolean): string =>
  [
    "default-src 'none'",
    "style-src 'self'",
    ...(hasScript ? ["script-src 'self'"] : []),
    ...(isLive ? ["connect-src 'self'"] : []),
    "img-src 'self' data:",
    ['form-action', "'self'", ...formTargets].join(' '),
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');
