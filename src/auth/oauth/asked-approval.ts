import type { Context, Interaction } from 'oidc-provider';

/** An application's request for a person's approval. */
export interface AskedApproval {
  uid: string;
  clientId: string;
  clientName: string;
  verified: boolean;
  redirectUri: string;
  /** Permissions and, if requested, offline_access. */
  scopes: string[];
  askedAt: string;
  /** If the application requires the person to sign in again, the time from which a sign-in counts. */
  signInAfter?: string;
}

export function askedBy(
  { uid, iat, params }: Interaction,
  client: NonNullable<Context['oidc']['client']>,
): AskedApproval {
  const askedAt = new Date(iat * 1_000).toISOString();
  const wantsSignIn = (params.prompt ?? '').split(' ').includes('login');
  return {
    uid,
    clientId: client.clientId,
    clientName: client.clientName,
    verified: client.verified === true,
    redirectUri: params.redirect_uri as string,
    scopes: (params.scope ?? '').split(' '),
    askedAt,
    ...(wantsSignIn && { signInAfter: askedAt }),
  };
}
