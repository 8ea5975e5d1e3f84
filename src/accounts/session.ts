import type { FormOwner } from '../pages/forms.service.js';

/** Ends a session that nobody used for so long. */
export const idleMs = 12 * 3_600_000;
/** Ends it anyhow. */
export const absoluteMs = 14 * 86_400_000;
/** How long the second step of a sign-in may take. */
export const secondStepMs = 10 * 60_000;
/** How long ago a password may have been typed to count as fresh. */
export const freshMs = 15 * 60_000;

/** Someone who is signed in here. */
export interface SignedIn extends FormOwner {
  readonly sessionId: string;
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  /** When the password was last typed in this session. */
  readonly passwordAt: string;
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

export const isFresh = ({ passwordAt }: { passwordAt: string }): boolean =>
  Date.now() - Date.parse(passwordAt) < freshMs;
