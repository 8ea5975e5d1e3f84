import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Request, Response } from 'express';

const compress = promisify(gzip);

/** How long a client may cache the documents. */
const cacheControl = 'public, max-age=300';

interface Made {
  plain: Buffer;
  compressed: Buffer;
  etag: string;
}

/** A text that is the same for everyone: written at its first request, kept, and compressed for those who take it so. */
export class KeptText {
  private made?: Promise<Made>;

  constructor(
    private readonly type: string,
    private readonly write: () => Promise<string>,
    private readonly headers: Record<string, string> = {},
  ) {}

  async read(): Promise<string> {
    this.made ??= this.make();
    return (await this.made).plain.toString();
  }

  async send(request: Request, response: Response): Promise<void> {
    this.made ??= this.make();
    const { plain, compressed, etag } = await this.made;
    const isCompressed = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
    response
      .set({ 'Cache-Control': cacheControl, ETag: etag, Vary: 'Accept-Encoding', ...this.headers })
      .set(isCompressed ? { 'Content-Encoding': 'gzip' } : {})
      .type(this.type)
      .send(isCompressed ? compressed : plain);
  }

  private async make(): Promise<Made> {
    const plain = Buffer.from(await this.write());
    // Weak: the compressed form is the same text.
    const etag = `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 27)}"`;
    return { plain, compressed: await compress(plain, { level: 9 }), etag };
  }
}
