/**
 * Frees memory that nobody needs any more; what refers to it has no bytes afterwards. Megabytes of garbage make V8 collect
 * everything, and while somebody uploads files it would do that several times a second.
 */
export function free({ buffer, byteLength }: Buffer): void {
  // Small buffers are parts of memory that others use too.
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
