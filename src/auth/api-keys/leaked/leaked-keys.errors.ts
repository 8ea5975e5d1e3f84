import { ServiceError, unavailable } from '#errors';

export const tooManyReports = (limit: number, retryAfterSeconds: number): ServiceError =>
  new ServiceError({
    status: 429,
    message: `Too many reports from this address: at most ${limit} per hour are accepted. Try again later.`,
    details: { retryAfterSeconds },
    headers: { 'Retry-After': String(retryAfterSeconds) },
  });

/** A report must not be lost, so the sender is asked to repeat it. */
export const reportFailed = (cause: unknown): ServiceError =>
  unavailable('The report was not processed. Send it again.', 5, cause);
