import type { Request, Response } from 'express';

const keepAliveEveryMs = 15_000;

/**
 * The event stream of a call that asked for progress: opened when its handler starts, so that what is refused before
 * keeps its HTTP status, and kept alive until its result.
 */
export class ProgressStream {
  private keepAlive?: NodeJS.Timeout;

  private constructor(
    private readonly response: Response,
    private readonly token: string | number,
  ) {}

  /** A stream, where the call brings a progress token and the client reads streams. */
  static of(request: Request, response: Response, token: unknown): ProgressStream | undefined {
    if (typeof token !== 'string' && typeof token !== 'number') return undefined;
    return request.accepts('text/event-stream') ? new ProgressStream(response, token) : undefined;
  }

  get isOpen(): boolean {
    return this.keepAlive !== undefined;
  }

  open(): void {
    this.response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache, no-transform' });
    this.report(0, 'begun');
    this.keepAlive = setInterval(() => this.response.write(': alive\n\n'), keepAliveEveryMs);
    this.response.once('close', () => clearInterval(this.keepAlive));
  }

  end(message: string): void {
    this.report(1, 'done');
    this.response.end(event(message));
  }

  /** @param progress a fraction of 1, more than was reported before. */
  report(progress: number, message: string): void {
    const params = { progressToken: this.token, progress, total: 1, message };
    this.response.write(event(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params })));
  }
}

const event = (message: string): string => `event: message\ndata: ${message}\n\n`;
