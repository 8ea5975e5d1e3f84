import type { Request, Response } from 'express';

const keepAliveEveryMs = 15_000;

/**
 * The event stream of a call that requested progress. It opens when its handler starts, so that earlier rejections keep
 * their HTTP status, and stays alive until the result.
 */
export class ProgressStream {
  private keepAlive?: NodeJS.Timeout;

  private constructor(
    private readonly response: Response,
    private readonly token: string | number,
  ) {}

  /** A stream, if the call has a progress token and the client accepts streams. */
  static of(request: Request, response: Response, token: unknown): ProgressStream | undefined {
    if (typeof token !== 'string' && typeof token !== 'number') return undefined;
    return request.accepts('text/event-stream') ? new ProgressStream(response, token) : undefined;
  }

  get isOpen(): boolean {
    return this.keepAlive !== undefined;
  }

  open(): void {
    this.response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache, no-transform' });
    this.report(0, 'started');
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
