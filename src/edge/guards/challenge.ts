import type { Request } from 'express';
import type { Config } from '../../platform/config/app.config.js';
import { offlineAccess, readScopes } from '../../auth/oauth/scopes.js';

/** The address of the document about the requested door (RFC 9728, section 5.1). */
const resourceMetadata = ({ baseUrl, mcpUrl }: Config, path: string): string =>
  `resource_metadata="${/^\/mcp(\/|$)/.test(path) ? mcpUrl : baseUrl}/.well-known/oauth-protected-resource"`;

/**
 * The challenge of a 401 (RFC 6750, RFC 9728): where a client learns how to get a credential, and which scopes to
 * request. `error` is only for a credential that was sent and is invalid. MCP clients of the 2025 era request only the
 * challenge's scopes, so theirs end in offline_access; later clients send Mcp-Method and find it in the server's
 * metadata.
 */
export function challenge(config: Config, { headers, path }: Request): string {
  const error = headers.authorization === undefined ? '' : 'error="invalid_token", ';
  const scopes = headers['mcp-method'] === undefined ? [...readScopes, offlineAccess] : readScopes;
  return `Bearer ${error}${resourceMetadata(config, path)}, scope="${scopes.join(' ')}"`;
}

/** The challenge of a 403 if the person could approve more (RFC 6750, section 3.1). */
export const scopeChallenge = (config: Config, scopes: Iterable<string>, path: string): string =>
  `Bearer error="insufficient_scope", scope="${[...scopes].join(' ')}", ${resourceMetadata(config, path)}`;

/**
 * The scopes to request when one is missing. Clients request exactly the scopes of a challenge, and their new approval
 * replaces the old one, so the list includes the granted scopes and refreshing.
 */
export const scopesWith = (scope: string, granted: ReadonlySet<string>): Set<string> =>
  new Set([scope, ...granted, offlineAccess]);
