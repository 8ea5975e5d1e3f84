import { ServiceError, unavailable } from '#errors';

export const tooManyReports = (limit: number, retryAfterSeconds: number): ServiceError =>
  new ServiceError({
    status: 429,
    message: `Too many reports from this address. Up to ${limit} an hour are accepted; try again later.`,
    details: { retryAfterSeconds },
    headers: { 'Retry-After': String(retryAfterSeconds) },
  });

/** A report must not be lost, so its sender learns that it has to be repeated. */
export const reportFailed = (cause: unknown): ServiceError =>
  unavailable('The report was not processed. Send it again.', 5, cause);
