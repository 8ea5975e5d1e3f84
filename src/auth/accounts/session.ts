import type { FormOwner } from '../../platform/pages/forms.service.js';
import { pathWith } from '../../platform/pages/see-other.js';

/** Ends a session that nobody used for so long. */
export const idleMs = 12 * 3_600_000;
/** Ends it anyhow. */
export const absoluteMs = 14 * 86_400_000;
/** How long the second step of a sign-in may take. */
export const secondStepMs = 10 * 60_000;
/** How old the latest proof of who somebody is may be for a sensitive action. */
export const freshMs = 10 * 60_000;

/** What people prove with who they are. */
export const authenticationMethods = ['password', 'totp', 'passkey', 'recovery_code'] as const;
export type AuthenticationMethod = (typeof authenticationMethods)[number];

/** How and when somebody proved who they are; sessions from before this was recorded do not know how. */
export interface Authentication {
  /** The latest time: the sign-in, or a confirmation since. */
  readonly authenticatedAt: string;
  readonly authenticatedWith: readonly AuthenticationMethod[] | null;
}

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

/** Someone whose password was right and whose second factor is still asked for. */
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

/** Whether the password or a factor was used a short while ago, or before another moment. */
export const isFresh = ({ authenticatedAt }: Authentication, now?: number): boolean => isRecent(authenticatedAt, now);

/** The same of the second factor, for those who have one: a password alone weakens it neither way. */
export const isFactorFresh = (signedIn: SignedIn): boolean =>
  signedIn.hasSecondFactor ? signedIn.factorAt !== null && isRecent(signedIn.factorAt) : isFresh(signedIn);

/** The page that asks for the password or a factor, and leads back. */
export const confirmationPath = (returnTo: string, factor?: 'factor'): string =>
  pathWith('/account/confirm-password', { return_to: returnTo, ...(factor && { with: factor }) });
