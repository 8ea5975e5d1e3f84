import type { Request } from 'express';
import type { Config } from '../platform/config/app.config.js';
import { offlineAccess, readScopes } from '../auth/oauth/scopes.js';

/** Where the document about the door that was asked is to be read (RFC 9728, section 5.1). */
const resourceMetadata = ({ baseUrl, mcpUrl }: Config, path: string): string =>
  `resource_metadata="${/^\/mcp(\/|$)/.test(path) ? mcpUrl : baseUrl}/.well-known/oauth-protected-resource"`;

/**
 * The challenge of a 401 (RFC 6750, RFC 9728): where a client reads how to get a credential, and what to ask for.
 * `error` is only for a credential that was sent and is no good. MCP clients of the 2025 era ask for the challenge's
 * scopes and no other, so theirs end in offline_access; the later ones send Mcp-Method and find it in the server's
 * metadata.
 */
export function challenge(config: Config, { headers, path }: Request): string {
  const error = headers.authorization === undefined ? '' : 'error="invalid_token", ';
  const scopes = headers['mcp-method'] === undefined ? [...readScopes, offlineAccess] : readScopes;
  return `Bearer ${error}${resourceMetadata(config, path)}, scope="${scopes.join(' ')}"`;
}

/** The challenge of a 403 where the person could approve more (RFC 6750, section 3.1). */
export const scopeChallenge = (config: Config, scopes: Iterable<string>, path: string): string =>
  `Bearer error="insufficient_scope", scope="${[...scopes].join(' ')}", ${resourceMetadata(config, path)}`;

/**
 * What to ask for when a scope is missing. Clients ask for exactly the scopes of a challenge, and their new approval
 * takes the place of the one they have: so what was granted, and refreshing, is named too.
 */
export const scopesWith = (scope: string, granted: ReadonlySet<string>): Set<string> =>
  new Set([scope, ...granted, offlineAccess]);
