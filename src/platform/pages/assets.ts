import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** A file that pages link to, under an address that changes with its content, so that browsers cache it permanently. */
export interface Asset {
  readonly path: string;
  readonly type: string;
  readonly body: Buffer;
}

const types: Record<string, string> = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8' };

const known = new Map<string, Asset>();

/** Reads a file once, when its module is loaded, and registers it with the assets' route. */
export function asset(file: URL): Asset {
  const [, name = '', extension = ''] = /([\w-]+)[\w.-]*\.(\w+)$/.exec(file.pathname) ?? [];
  return registered(name, extension, readFileSync(file));
}

/** The same for style sheets that are sent as one, in their order: one file for each kind of part of a page. */
export const sheet = (name: string, folder: URL, parts: readonly string[]): Asset =>
  registered(name, 'css', Buffer.concat(parts.map((part) => readFileSync(new URL(`${part}.css`, folder)))));

function registered(name: string, extension: string, body: Buffer): Asset {
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 16);
  const made = { path: `/assets/${name}-${hash}.${extension}`, type: types[extension] as string, body };
  known.set(made.path, made);
  return made;
}

export const assetAt = (path: string): Asset | undefined => known.get(path);
