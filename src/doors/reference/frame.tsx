import type { ComponentChildren } from 'preact';
import { renderToStaticMarkup } from 'preact-render-to-string';
import { asset } from '../../platform/pages/assets.js';
import { style } from '../../platform/pages/style.js';

const sheet = asset(new URL('./reference.css', import.meta.url));
const tryIt = asset(new URL('./try-it.browser.js', import.meta.url));

/** Our own files and no other; the script asks this service only. */
export const pageHeaders = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "connect-src 'self'",
    'img-src data:',
    "form-action 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; '),
};

interface Framed {
  title: string;
  /** Whether requests can be tried here. */
  isTriable?: boolean;
  children: ComponentChildren;
}

/** A page of the documentation, as HTML. */
export const framed = ({ title, isTriable = false, children }: Framed): string =>
  `<!doctype html>${renderToStaticMarkup(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${title} · Property Operations`}</title>
        <link rel="stylesheet" href={style.path} />
        <link rel="stylesheet" href={sheet.path} />
        <link rel="icon" href="data:," />
        {isTriable && <script type="module" src={tryIt.path} />}
      </head>
      <body>
        <nav aria-label="Documentation">
          <a href="/">Property Operations</a>
          <a href="/docs">Reference</a>
          <a href="/docs/guides">Guides</a>
        </nav>
        <main>{children}</main>
      </body>
    </html>,
  )}`;
