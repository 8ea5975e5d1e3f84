import { ServiceError } from '#errors';
import type { RateVerdict } from '#limits';

/** 429 for an address or a network; the same envelope as for a credential, which has its own budget. */
export class AddressLimitExceeded extends ServiceError {
  /** The same for a person at a page. */
  readonly forPeople: string;

  constructor(
    { limit, remaining, resetAtEpochSeconds, timeToBlockExpire: retryAfterSeconds }: RateVerdict,
    vendor: string,
  ) {
    super({
      status: 429,
      message: 'API rate limit exceeded',
      details: { vendor, retryAfterSeconds, rateLimit: { limit, remaining, resetAtEpochSeconds } },
      headers: { 'Retry-After': String(retryAfterSeconds) },
    });
    this.forPeople = `Too many requests came from your network. Try again in ${retryAfterSeconds} s.`;
  }
}
