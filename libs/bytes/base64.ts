import { free } from './free.js';

// Threads load this, so it has no other imports.

/** Of such a character the decoder would read one byte. To look for it takes no time in a text that V8 keeps in Latin-1. */
const beyondLatin1 = /[\u0100-\uffff]/;
/** A part of a text in base64, and room for what it stands for. Memory for a whole file would have to be found each time. */
const partOfBase64 = 65_536;
const decoded = Buffer.alloc((partOfBase64 / 4) * 3);

/**
 * RFC 4648, section 4. A regular expression takes 30 ms for a file of 5 MB; decoding takes one, and skips characters
 * outside the alphabet, so its result is then shorter than the length implies.
 */
export function isBase64(text: string): boolean {
  if (text.length % 4 !== 0 || text.includes('-') || text.includes('_') || beyondLatin1.test(text)) return false;
  let bytes = 0;
  for (let at = 0; at < text.length; at += partOfBase64)
    bytes += decoded.write(text.slice(at, at + partOfBase64), 'base64');
  return bytes === Buffer.byteLength(text, 'base64');
}

/** Bytes that were sent in base64 and are decoded already. JSON has them as they were sent. */
export class DecodedBase64 {
  constructor(readonly bytes: Buffer) {}

  /** To be called when nobody reads it any more. */
  free(): void {
    free(this.bytes);
  }

  toJSON(): string {
    return this.bytes.toString('base64');
  }

  /** What was sent, in parts of this many characters, a multiple of four. */
  *parts(length: number): Generator<string> {
    const step = (length / 4) * 3;
    for (let at = 0; at < this.bytes.length; at += step) yield this.bytes.toString('base64', at, at + step);
  }
}

/** The bytes of a field in base64: of a text as it was sent, or decoded. */
export const bytesOf = (content: string | DecodedBase64): Buffer =>
  typeof content === 'string' ? Buffer.from(content, 'base64') : content.bytes;

/** The bytes of valid base64, in memory of their own. */
export function decode(text: string): ArrayBuffer {
  const bytes = new ArrayBuffer(Buffer.byteLength(text, 'base64'));
  Buffer.from(bytes).write(text, 'base64');
  return bytes;
}
