import { unauthorized } from '#errors';

/**
 * The token of `Authorization: Bearer <token>` (RFC 6750, section 2.1).
 *
 * @throws authentication_error whose message names the header to send.
 */
export function readBearer(authorization: string | undefined): string {
  if (authorization === undefined) throw unauthorized('Send a credential: Authorization: Bearer <API key or token>.');
  const token = /^Bearer +([A-Za-z0-9._~+/=-]{1,512})$/i.exec(authorization)?.[1];
  if (!token) throw unauthorized('The Authorization header must read: Bearer <API key or token>.');
  return token;
}
