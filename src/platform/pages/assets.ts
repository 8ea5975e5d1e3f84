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
  const body = readFileSync(file);
  const [, name = '', extension = ''] = /([\w-]+)[\w.-]*\.(\w+)$/.exec(file.pathname) ?? [];
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 16);
  const made = { path: `/assets/${name}-${hash}.${extension}`, type: types[extension] as string, body };
  known.set(made.path, made);
  return made;
}

export const assetAt = (path: string): Asset | undefined => known.get(path);
