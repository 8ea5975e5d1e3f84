import { finished } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

const partBytes = 1_000_000;

/** Compresses lines, and hands on what comes out in pieces of a megabyte. */
export class GzipParts {
  private readonly gzip = createGzip();
  private ready: Buffer[] = [];
  private readyBytes = 0;
  private number = 0;
  /** Of all pieces. */
  bytes = 0;

  constructor(private readonly keep: (number: number, part: Buffer) => Promise<void>) {
    this.gzip.on('data', (chunk: Buffer) => {
      this.ready.push(chunk);
      this.readyBytes += chunk.length;
    });
  }

  async take(line: string): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.gzip.write(`${line}\n`, (error) => (error ? reject(error) : resolve()));
    });
    if (this.readyBytes >= partBytes) await this.handOn();
  }

  async end(): Promise<void> {
    this.gzip.end();
    await finished(this.gzip);
    await this.handOn();
  }

  private async handOn(): Promise<void> {
    const part = Buffer.concat(this.ready);
    this.ready = [];
    this.readyBytes = 0;
    this.bytes += part.length;
    await this.keep(this.number, part);
    this.number += 1;
  }
}
