import { type ServiceError, unauthorized } from '#errors';

/** How fresh the last use of a credential is kept. */
export const touchEveryMs = 60_000;

export const unknownCredential = (): ServiceError => unauthorized('This credential is not known here.');

export const otherEnvironment = (given: string, here: string): ServiceError =>
  unauthorized(`This is a key of the ${given} environment; this address serves the ${here} environment.`);

export const otherRegion = (given: string, here: string): ServiceError =>
  unauthorized(
    `This is a credential of region ${given}; this address serves region ${here}. Use that region's address.`,
  );
