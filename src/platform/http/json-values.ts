const [quote, comma, backslash, list, object] = [0x22, 0x2c, 0x5c, 0x5b, 0x7b];

/** How much of a long text is searched at a time. Looking at each byte here takes fifty times as long. */
const stretch = 4_096;

/**
 * Whether JSON contains at most this many values, including lists and objects, counted in its bytes before it is
 * parsed. The count may be wrong if it is not JSON.
 */
export function hasAtMost(bytes: Buffer, most: number): boolean {
  let values = 1;
  for (let at = 0; at < bytes.length && values <= most; at += 1) {
    const byte = bytes[at];
    if (byte === quote) at = endOfText(bytes, at + 1);
    else if (byte === comma || byte === list || byte === object) values += 1;
  }
  return values <= most;
}

/** The position of the quote that ends a text. */
function endOfText(bytes: Buffer, from: number): number {
  let search = from + stretch;
  for (let at = from; at < bytes.length; at += 1) {
    if (at >= search) {
      while (at < bytes.length && isPlain(bytes.subarray(at, at + stretch))) at += stretch;
      search = at + stretch;
    }
    if (bytes[at] === quote) return at;
    if (bytes[at] === backslash) at += 1;
  }
  return bytes.length;
}

const isPlain = (bytes: Buffer): boolean => !bytes.includes(quote) && !bytes.includes(backslash);
