import { timingSafeEqual } from 'node:crypto';
import { Provider } from 'oidc-provider';
import { newOAuthToken } from '#regions';
import { hashOfRandom } from '#secrets';
import { answerAsOurs, refuseNul } from './answers.js';
import { providerConfiguration, type ProviderEnvironment } from './provider-configuration.js';
import { limitRegistrations, RegistrationLimit } from './registration-limit.js';
import { isRegisteredRedirect } from './registration-rules.js';
import { successorOf } from './refresh-lineage.js';
import { providerWithTransactions } from './token-exchange.js';

/** Configures the library as the specification's authorization server for one issuer. */
export function createProvider(issuer: string, environment: ProviderEnvironment): Provider {
  const Library = providerWithTransactions(environment);
  const provider = new Library(issuer, providerConfiguration(environment));
  provider.proxy = true;
  provider.use(answerAsOurs(provider, environment.log));
  provider.use(refuseNul);
  provider.use(limitRegistrations(new RegistrationLimit(environment.windows)));
  setTokenValues(provider, environment);
  setClientRules(provider);
  return provider;
}

function setTokenValues(provider: Provider, { keyring, config: { region } }: ProviderEnvironment): void {
  const accessTokenId = provider.AccessToken.prototype.generateTokenId;
  provider.AccessToken.prototype.generateTokenId = function () {
    // The library's own method sets the token's format in addition to generating an id.
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
  // The library knows more modes than the metadata lists. The error is returned in the query too.
  prototype.responseModeAllowed = function () {
    const params = Provider.ctx?.oidc.params ?? {};
    if (params.response_mode === undefined || params.response_mode === 'query') return true;
    params.response_mode = undefined;
    return false;
  };
  // The stored secret is a hash, so the presented secret is hashed before the comparison.
  prototype.compareClientSecret = function (secret) {
    const [known, given] = [Buffer.from(this.clientSecret ?? '', 'base64url'), hashOfRandom(secret)];
    return known.length === given.length && timingSafeEqual(known, given);
  };
}
