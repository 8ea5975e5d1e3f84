/** The beginning of a key (Interface Specification, API keys). */
const key = 'sk_(?:live|test)_';
/** Paths whose last part is a secret, which is left out, and keys that somebody has put into a path by mistake. */
const secretPart = new RegExp(`(\\/(?:calendars|unsubscribe)\\/|${key}).*`, 'i');

/** @returns a path without its secret, also if that is percent-encoded. */
export function withoutSecret(path: string): string {
  const plain = decoded(path);
  return (secretPart.test(plain) ? plain : path).replace(secretPart, '$1…');
}

const anyKey = new RegExp(key, 'i');
export const containsKey = (text: string): boolean => anyKey.test(text);

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    // The request is rejected, but its path is logged.
    return path;
  }
}
