import { Int, ObjectOf, OneOf, Text } from '#operations';
import type { DescribedRefusal } from '#errors';

const most = Number.MAX_SAFE_INTEGER;

class VersionDetails {
  @Int({ description: 'Current version of the record.', min: 1, max: most }) version: number;
}

export class TwoFactorDetails {
  @OneOf(['TWO_FACTOR_REQUIRED'], { description: 'The same code.' }) code: string;
  @Text({ description: 'Organization that requires a second factor.', max: 100 }) orgId: string;
}

class RateLimit {
  @Int({ description: 'Limit per minute.', min: 0, max: most }) limit: number;
  @Int({ description: 'Requests left in this minute.', min: 0, max: most }) remaining: number;
  @Int({ description: 'When the next minute begins, as Unix time in seconds.', min: 0, max: most })
  resetAtEpochSeconds: number;
}

class RateLimitDetails {
  @Text({ description: 'Whose limit it is.', max: 100 }) vendor: string;
  @Int({ description: 'Seconds to wait, as in Retry-After.', optional: true, min: 0, max: most })
  retryAfterSeconds?: number;

  @ObjectOf(() => RateLimit, { description: 'The limit that was reached.', optional: true }) rateLimit?: RateLimit;
}

/** What is thrown below the floor of operations, where classes of fields are not known, has its details here. */
const shapes: Readonly<Record<string, new () => object>> = {
  VERSION_MISMATCH: VersionDetails,
  RATE_LIMITED: RateLimitDetails,
};

/** @throws Error if the refusal has details that no class describes. */
export function withDetails(refusal: DescribedRefusal): DescribedRefusal {
  const details = shapes[refusal.code];
  if (details) return { ...refusal, details };
  if (refusal.hasOpenDetails) throw new Error(`Describe the details of ${refusal.code} by a class, with shaped()`);
  return refusal;
}
