/** Thrown by a page to send the browser to another page of the service (303, RFC 9110). */
export class SeeOther extends Error {
  constructor(readonly location: string) {
    super(`See ${location}`);
    this.name = 'SeeOther';
  }
}

/**
 * The path to return to, if it is one of ours; not anything that a browser could read as another origin.
 *
 * @returns `otherwise` for other values.
 */
export function returnPath(given: unknown, otherwise = '/account'): string {
  if (typeof given !== 'string' || given.length > 8_192 || !/^\/(?![/\\])[\x21-\x7e]*$/.test(given)) return otherwise;
  const origin = 'http://self.invalid';
  const url = URL.canParse(given, origin) ? new URL(given, origin) : undefined;
  // Once more, for dots that the parser took out: /..//elsewhere.example
  return url?.origin === origin && !url.pathname.startsWith('//') ? url.pathname + url.search : otherwise;
}

/** A path with a query, its values escaped. */
export const pathWith = (path: string, query: Record<string, string>): string =>
  `${path}?${new URLSearchParams(query)}`;
