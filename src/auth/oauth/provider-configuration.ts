import { generateKeyPairSync } from 'node:crypto';
import type { Logger } from '@nestjs/common';
import type { Request } from 'express';
import { type Context, errors, interactionPolicy } from 'oidc-provider';
import type { Outbound } from '#outbound';
import { newApplicationId, randomBase62 } from '#regions';
import type { Keyring } from '#secrets';
import type { SystemDatabase } from '#system-database';
import type { Config } from '../../platform/config/app.config.js';
import { permissionsIn } from '../../platform/callers/permissions.js';
import type { SlidingWindowsRepository } from '../../platform/limits/sliding-windows.repository.js';
import { DocumentLimit } from './document-limit.js';
import { clientAuthMethods, endpoints } from './endpoints.js';
import { renderAuthorizationError } from './error-page.js';
import { applyRegistrationRules } from './registration-rules.js';
import { audienceOf } from '../bearer/audience.js';
import { offlineAccess } from './scopes.js';
import { type Repositories, storesOn } from './stores.js';

/** The lifetimes of the specification (OAuth limits), in seconds. An authorization in progress waits half an hour. */
const lifetimes = {
  AccessToken: 3_600,
  AuthorizationCode: 600,
  RefreshToken: 30 * 86_400,
  Interaction: 1_800,
  // The library requires a number, although nothing of this kind is ever stored.
  Session: 1_800,
};

/** The library never sees a session: our page returns sign-in and consent in one result. */
const signIn = new interactionPolicy.Prompt(
  { name: 'login', requestable: true },
  new interactionPolicy.Check('no_account', 'sign-in is needed', ({ oidc }) => !oidc.session?.accountId),
);

/**
 * Consent is always shown, because only the approval that this very request brought back counts (specification, Consent
 * screen).
 */
const consent = new interactionPolicy.Prompt(
  { name: 'consent', requestable: true },
  new interactionPolicy.Check('not_approved', 'approval is needed', ({ oidc }) => {
    const approved = oidc.result?.consent?.grantId;
    return approved === undefined || approved !== oidc.entities.Grant?.jti;
  }),
);

/** Browsers take such names over https only (RFC 6265bis). Each cookie has the path of its step, so not `__Host-`. */
const secureNames = { interaction: '__Secure-interaction', resume: '__Secure-interaction_resume' };

export interface ProviderEnvironment {
  config: Config;
  keyring: Keyring;
  outbound: Outbound;
  database: SystemDatabase;
  windows: SlidingWindowsRepository;
  repositories: Repositories;
  log: Logger;
}

/** Reduces an OpenID provider to OAuth 2.1: code with PKCE S256, opaque tokens, no id_token, no userinfo. */
export function providerConfiguration(environment: ProviderEnvironment): Record<string, unknown> {
  const { config, keyring, outbound, windows, repositories } = environment;
  const documents = new DocumentLimit(windows);
  const audience = audienceOf(config);
  return {
    adapter: storesOn(repositories),
    routes: endpoints,
    responseTypes: ['code'],
    scopes: [offlineAccess],
    clientAuthMethods,
    clientDefaults: {
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      id_token_signed_response_alg: 'ES256',
    },
    // No token is signed, but the library does not start without a key.
    jwks: { keys: [{ ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }) }] },
    pkce: { required: () => true },
    ttl: lifetimes,
    rotateRefreshToken: true,
    expiresWithSession: () => false,
    issueRefreshToken: (_ctx: Context, _client: unknown, { scopes }: { scopes: Set<string> }) =>
      scopes.has(offlineAccess),
    revokeGrantPolicy: () => true,
    extraClientMetadata: {
      properties: ['verified'],
      validator: (ctx: Context | undefined, _name: string, _value: unknown, metadata: Record<string, unknown>) =>
        applyRegistrationRules(ctx, metadata),
    },
    cookies: {
      keys: keyring.deriveAll('oauth cookies').map((key) => key.export().toString('base64url')),
      ...(config.baseUrl.startsWith('https:') && { names: secureNames }),
    },
    clientBasedCORS: () => true,
    findAccount: (_ctx: Context, accountId: string) => ({ accountId, claims: () => ({ sub: accountId }) }),
    loadExistingGrant: ({ oidc }: Context) => {
      const approved = oidc.result?.consent?.grantId;
      return approved ? oidc.provider.Grant.find(approved) : undefined;
    },
    interactions: {
      policy: [signIn, consent],
      url: (_ctx: Context, { uid }: { uid: string }) => `/consent/${uid}`,
    },
    renderError: renderAuthorizationError,
    fetch: async (url: string | URL) => {
      const { status, headers, body } = await outbound.fetch(String(url), { headers: { accept: 'application/json' } });
      return new Response(status === 204 || status === 304 ? null : new Uint8Array(body), { status, headers });
    },
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      registration: {
        enabled: true,
        initialAccessToken: false,
        issueRegistrationAccessToken: false,
        idFactory: () => newApplicationId(config.region),
        secretFactory: () => randomBase62(),
      },
      revocation: {
        enabled: true,
        allowedPolicy: (_ctx: Context, client: { clientId: string }, token: { clientId: string }) =>
          token.clientId === client.clientId,
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => audience,
        useGrantedResource: () => true,
        getResourceServerInfo: (_ctx: Context, resource: string) => {
          if (resource !== audience) throw new errors.InvalidTarget();
          return { scope: permissionsIn(config.environment).join(' '), audience, accessTokenFormat: 'opaque' };
        },
      },
      clientIdMetadataDocument: {
        enabled: true,
        ack: 'draft-02',
        allowFetch: ({ req }: Context, url: string) => documents.mayFetch((req as Request).ip ?? '', url),
      },
    },
  };
}
