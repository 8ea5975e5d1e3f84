import { ServiceError } from '#errors';
import type { RateVerdict } from '#limits';

/** 429 for an address or a network; the same envelope as for a credential, which has its own budget. */
export class AddressLimitExceeded extends ServiceError {
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
  }
}
