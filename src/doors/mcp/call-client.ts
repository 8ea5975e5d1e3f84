import type { WaitingClient } from '#context';
import { ServiceError } from '#errors';
import type { ProgressStream } from './progress-stream.js';

/** The client of a tool call. One that requested progress gets a stream when the handler starts. */
export class CallClient implements WaitingClient {
  constructor(
    private readonly connection: { readonly destroyed: boolean },
    private readonly stream: ProgressStream | undefined,
  ) {}

  /**
   * Closing the connection cancels the call until the handler runs; after that, the work is done and nobody reads the
   * result.
   */
  onHandling(): void {
    if (this.connection.destroyed) throw clientHasGone();
    this.stream?.open();
  }

  onProgress(progress: number, message: string): void {
    this.stream?.report(progress, message);
  }
}

const clientHasGone = (): ServiceError =>
  new ServiceError({ status: 499, message: 'The client closed the connection before the call started.' });
