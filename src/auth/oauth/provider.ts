import { timingSafeEqual } from 'node:crypto';
import type { Logger } from '@nestjs/common';
import { Provider } from 'oidc-provider';
import { newOAuthToken } from '#regions';
import { answerAsOurs, refuseNul } from './answers.js';
import { providerConfiguration, type ProviderSurroundings } from './provider-configuration.js';
import type { RegistrationLimit } from './registration-limit.js';
import { isRegisteredRedirect } from './registration-rules.js';
import { hashOf, successorOf } from './token-values.js';

/** The library, set up as the specification's authorization server in the name of an issuer. */
export function createProvider(
  Library: typeof Provider,
  issuer: string,
  surroundings: ProviderSurroundings,
  limit: RegistrationLimit,
  log: Logger,
): Provider {
  const provider = new Library(issuer, providerConfiguration(surroundings));
  provider.proxy = true;
  provider.use(answerAsOurs(provider, limit, log));
  provider.use(refuseNul);
  setTokenValues(provider, surroundings);
  setClientRules(provider);
  return provider;
}

function setTokenValues(provider: Provider, { keyring, config: { region } }: ProviderSurroundings): void {
  const accessTokenId = provider.AccessToken.prototype.generateTokenId;
  provider.AccessToken.prototype.generateTokenId = function () {
    // The library's own sets the token's format beside making an id.
    accessTokenId.call(this);
    return newOAuthToken('at', region);
  };
  provider.AuthorizationCode.prototype.generateTokenId = () => newOAuthToken('ac', region);
  provider.RefreshToken.prototype.generateTokenId = () => {
    const rotated = Provider.ctx?.oidc.entities.RotatedRefreshToken;
    return rotated ? successorOf(rotated.jti, keyring, region) : newOAuthToken('rt', region);
  };
}

function setClientRules({ Client: { prototype } }: Provider): void {
  prototype.redirectUriAllowed = function (uri) {
    return isRegisteredRedirect(this.redirectUris, uri);
  };
  // What is loaded as the secret is its hash.
  prototype.compareClientSecret = function (secret) {
    const [known, given] = [Buffer.from(this.clientSecret ?? '', 'base64url'), hashOf(secret)];
    return known.length === given.length && timingSafeEqual(known, given);
  };
}
