/**
 * `refused`: not allowed, nothing was sent. `unreachable`: no connection. `broken`: the request may have been received.
 */
export type OutboundFailure = 'refused' | 'unreachable' | 'broken' | 'timeout' | 'too-large';

export class OutboundError extends Error {
  constructor(
    readonly failure: OutboundFailure,
    message: string,
    cause?: unknown,
  ) {
    super(message, { cause });
    this.name = 'OutboundError';
  }
}
