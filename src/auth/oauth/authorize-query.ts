import type { Config } from '../../platform/config/app.config.js';
import { resourceOf } from './resources.js';
import { scopesIn } from './scopes.js';

/** OpenID Connect parameters that the library rejects if `openid` is not requested. They have no meaning here. */
const meaningless = ['nonce', 'max_age', 'claims', 'claims_locales', 'id_token_hint', 'acr_values'];

/** Normalizes the query of an authorization request, because real clients deviate from what the library accepts. */
export function authorizeQuery(
  query: URLSearchParams,
  config: Pick<Config, 'baseUrl' | 'mcpUrl' | 'environment'>,
): URLSearchParams {
  const rewritten = new URLSearchParams(query);
  for (const name of meaningless) rewritten.delete(name);
  if (query.getAll('scope').length < 2)
    rewritten.set('scope', scopesIn(query.get('scope') ?? undefined, config.environment).join(' '));
  rewritten.set('prompt', promptOf(query.get('prompt') ?? ''));
  const resources = new Set(query.getAll('resource').map((name) => resourceOf(name, config) ?? name));
  rewritten.delete('resource');
  for (const resource of resources) rewritten.append('resource', resource);
  return rewritten;
}

/**
 * Consent is always requested (and offline_access is dropped where it is not). `none`, with or without it, can then
 * only fail.
 */
function promptOf(given: string): string {
  const prompts = given.split(' ').filter(Boolean);
  if (prompts.includes('none')) return prompts.join(' ');
  return prompts.includes('login') || prompts.includes('select_account') ? 'login consent' : 'consent';
}
