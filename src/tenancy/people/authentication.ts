/** How people prove who they are. */
export const authenticationMethods = ['password', 'totp', 'passkey', 'recovery_code'] as const;
export type AuthenticationMethod = (typeof authenticationMethods)[number];

/** How and when somebody proved who they are; sessions from before this was recorded do not know how. */
export interface Authentication {
  /** The latest time: the sign-in, or a confirmation since. */
  readonly authenticatedAt: string;
  readonly authenticatedWith: readonly AuthenticationMethod[] | null;
}
