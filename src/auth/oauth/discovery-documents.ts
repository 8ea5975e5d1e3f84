import type { Config } from '../../platform/config/app.config.js';
import { permissionNames } from '../../organizations/permissions.js';
import { clientAuthMethods, endpoints } from './endpoints.js';
import { audienceOf } from './resources.js';
import { offlineAccess, readScopes } from './scopes.js';

/** An authorization server, as clients find it (RFC 8414). */
export const authorizationServerDocument = (issuer: string) => ({
  issuer,
  authorization_endpoint: issuer + endpoints.authorization,
  token_endpoint: issuer + endpoints.token,
  registration_endpoint: issuer + endpoints.registration,
  revocation_endpoint: issuer + endpoints.revocation,
  jwks_uri: issuer + endpoints.jwks,
  grant_types_supported: ['authorization_code', 'refresh_token'],
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: clientAuthMethods,
  revocation_endpoint_auth_methods_supported: clientAuthMethods,
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true,
  scopes_supported: [...permissionNames, offlineAccess],
});

/**
 * What a client that was answered 401 reads to find the authorization server (RFC 9728). The scopes are those to begin
 * with; refreshing is the authorization server's to offer (MCP 2026-07-28). Clients take the first server of the list,
 * so that there is one.
 */
export const protectedResourceDocument = (host: 'api' | 'mcp', config: Pick<Config, 'baseUrl' | 'mcpUrl'>) => ({
  resource: host === 'api' ? config.baseUrl : audienceOf(config),
  resource_name: 'Property Operations',
  authorization_servers: [host === 'api' ? config.baseUrl : config.mcpUrl],
  scopes_supported: readScopes,
  bearer_methods_supported: ['header'],
});
