import { errors } from 'oidc-provider';
import type { Context, Payload } from 'oidc-provider';

/**
 * The rules for client metadata (RFC 7591), for registrations and metadata documents alike. They run before the
 * library's own checks and normalize what common clients send.
 */
export function applyRegistrationRules(ctx: Context | undefined, metadata: Payload): void {
  const isDocument = /^https:/i.test(String(metadata.client_id));
  if (isDocument && !metadata.client_name) {
    throw new errors.InvalidClientMetadata('client_name is required in a client metadata document');
  }
  // Only our own records, which are loaded outside a request, can mark an application as created by an operator.
  if (ctx || isDocument) delete metadata.verified;
  for (const name of Object.keys(metadata)) if (!kept.has(name)) delete metadata[name];
  metadata.redirect_uris = redirectUrisIn(metadata.redirect_uris);
  metadata.client_name = cleanName(metadata.client_name);
  metadata.grant_types = grantTypesIn(metadata.grant_types);
  if (metadata.token_endpoint_auth_method === 'none') {
    delete metadata.client_secret;
    delete metadata.client_secret_expires_at;
  }
}

const kept = new Set([
  'application_type',
  'client_id',
  'client_id_issued_at',
  'client_name',
  'client_secret',
  'client_secret_expires_at',
  'grant_types',
  'id_token_signed_response_alg',
  'redirect_uris',
  'require_auth_time',
  'response_types',
  'subject_type',
  'token_endpoint_auth_method',
  'verified',
]);

export const maxRedirectUris = 10;
const maxUriLength = 2_048;

/** Cursor registers this address in addition to its https and loopback ones. It is dropped if others remain. */
const cursorUri = 'cursor://anysphere.cursor-mcp/oauth/callback';

/** Checks the text itself, because a parser would turn http://127.1 into 127.0.0.1. */
const acceptable =
  /^(?:https:\/\/(?:[a-z0-9.-]+|\[[0-9a-f:]+\])|http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]))(?::\d{1,5})?(?:[/?][\x21-\x7e]*)?$/i;
const wildcardFragmentOrUser = /[*#\\@]/;

function redirectUrisIn(given: unknown): string[] {
  if (!Array.isArray(given) || !given.every((uri) => typeof uri === 'string')) {
    throw new errors.InvalidClientMetadata('redirect_uris must be a list of addresses');
  }
  const uris = given.length > 1 ? given.filter((uri) => uri !== cursorUri) : given;
  if (given.length > maxRedirectUris || uris.length < 1) {
    throw new errors.InvalidClientMetadata(`redirect_uris must contain 1 to ${maxRedirectUris} addresses`);
  }
  for (const uri of uris) {
    if (uri.length > maxUriLength || !acceptable.test(uri) || wildcardFragmentOrUser.test(uri) || !URL.canParse(uri)) {
      throw new errors.InvalidClientMetadata(
        'redirect_uris must be https, or http on localhost, 127.0.0.1 or [::1], without wildcard, fragment or user',
      );
    }
  }
  return uris;
}

const loopback = /^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]))(?::\d{1,5})?((?:[/?].*)?)$/i;

/**
 * Matches the registered address itself or, on plain loopback, the same address with another port: native applications
 * listen on any free port (RFC 8252, section 7.3).
 */
export function isRegisteredRedirect(registered: readonly string[], uri: string): boolean {
  if (registered.includes(uri)) return true;
  // The port may be invalid, such as 99999.
  if (!URL.canParse(uri)) return false;
  const [, host, rest] = loopback.exec(uri) ?? [];
  if (!host) return false;
  return registered.some((other) => {
    const [, otherHost, otherRest] = loopback.exec(other) ?? [];
    return otherHost === host && otherRest === rest;
  });
}

const maxNameLength = 80;

/** Normalizes the name, without characters that hide, reorder or break it. */
export function cleanName(given: unknown): string {
  if (given !== undefined && typeof given !== 'string') {
    throw new errors.InvalidClientMetadata('client_name must be text');
  }
  const name = (given ?? '')
    .normalize('NFKC')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return [...name].slice(0, maxNameLength).join('') || 'Unnamed application';
}

const grantTypes = ['authorization_code', 'refresh_token'];

/**
 * Every application that people can approve may refresh. Grant types that we do not offer are dropped (VS Code asks for
 * them).
 */
function grantTypesIn(given: unknown): string[] {
  if (given !== undefined && !(Array.isArray(given) && given.includes('authorization_code'))) {
    throw new errors.InvalidClientMetadata('grant_types must include authorization_code');
  }
  return grantTypes;
}
