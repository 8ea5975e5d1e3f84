import type { Environment } from '#regions';
import type { Config } from '../../platform/config/app.config.js';
import { permissionsIn } from '../../platform/callers/permissions.js';
import { clientAuthMethods, endpoints } from './endpoints.js';
import { audienceOf } from '../bearer/audience.js';
import { offlineAccess, readScopes } from './scopes.js';

/** The authorization server's metadata for clients (RFC 8414). */
export const authorizationServerDocument = (issuer: string, environment: Environment) => ({
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
  scopes_supported: [...permissionsIn(environment), offlineAccess],
});

/**
 * The document that a client reads after a 401 to find the authorization server (RFC 9728). It lists the scopes to
 * start with; refreshing is offered by the authorization server (MCP 2026-07-28). Clients take the first server of the
 * list, so the list has exactly one.
 */
export const protectedResourceDocument = (host: 'api' | 'mcp', config: Pick<Config, 'baseUrl' | 'mcpUrl'>) => ({
  resource: host === 'api' ? config.baseUrl : audienceOf(config),
  resource_name: 'Property Operations',
  authorization_servers: [host === 'api' ? config.baseUrl : config.mcpUrl],
  scopes_supported: readScopes,
  bearer_methods_supported: ['header'],
});
