import type { Config } from '../app.config.js';

/**
 * The challenge of a 401 (RFC 6750, RFC 9728): where a client reads how to get a credential. `error` is only for a
 * credential that was sent and is no good.
 */
export function challenge({ mcpUrl }: Config, credentialWasSent: boolean): string {
  const error = credentialWasSent ? 'error="invalid_token", ' : '';
  return `Bearer ${error}resource_metadata="${mcpUrl}/.well-known/oauth-protected-resource"`;
}
