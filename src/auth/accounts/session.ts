import type { FormOwner } from '../../platform/pages/forms.service.js';
import { pathWith } from '../../platform/pages/see-other.js';
import type { Authentication } from '../../tenancy/people/authentication.js';

/** A session ends after this long without use. */
export const idleMs = 12 * 3_600_000;
/** A session ends after this long even if it is in use. */
export const absoluteMs = 14 * 86_400_000;
/** The time limit for the second step of a sign-in. */
export const secondStepMs = 10 * 60_000;
/** The greatest age of the latest proof of identity for a sensitive action. */
export const freshMs = 10 * 60_000;

/** The progress of a sign-in. */
export type Stage = 'second-factor' | 'signed-in';

/** Someone who is signed in here. */
export interface SignedIn extends FormOwner, Authentication {
  readonly sessionId: string;
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  /** When the password was last typed in this session. */
  readonly passwordAt: string;
  /** When a second factor was last used in this session. */
  readonly factorAt: string | null;
  /** Whether a second factor is enrolled. */
  readonly hasSecondFactor: boolean;
}

/** Someone whose password was right and who still has to present the second factor. */
export interface HalfSignedIn extends FormOwner {
  readonly sessionId: string;
  readonly userId: string;
  readonly passwordAt: string;
}

/** A session as its owner sees it. */
export interface SessionView {
  readonly id: string;
  readonly userAgent: string;
  readonly ip: string;
  readonly createdAt: string;
  readonly lastSeenAt: string;
}

const isRecent = (at: string, now = Date.now()): boolean => now - Date.parse(at) < freshMs;

/** Whether the password or a factor was used recently, or since a given moment. */
export const isFresh = ({ authenticatedAt }: Authentication, now?: number): boolean => isRecent(authenticatedAt, now);

/** The same for the second factor, if the person has one: a password does not suffice to weaken it. */
export const isFactorFresh = (signedIn: SignedIn): boolean =>
  signedIn.hasSecondFactor ? signedIn.factorAt !== null && isRecent(signedIn.factorAt) : isFresh(signedIn);

/** Whether somebody has a second factor and did not use it recently. */
export const needsFactor = (signedIn: SignedIn): boolean => signedIn.hasSecondFactor && !isFactorFresh(signedIn);

/**
 * The page where a second factor is added, and that leads back.
 *
 * @param isRequired whether the page that it leads back to is closed until then.
 */
export const enrollmentPath = (returnTo: string, isRequired = false): string =>
  pathWith('/account/security', { return_to: returnTo, ...(isRequired && { required: 'yes' }) });

/** The page that asks for the password or a factor, and leads back. */
export const confirmationPath = (returnTo: string, factor?: 'factor'): string =>
  pathWith('/account/confirm-password', { return_to: returnTo, ...(factor && { with: factor }) });
