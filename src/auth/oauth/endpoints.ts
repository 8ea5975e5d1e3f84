/** The paths of the authorization server (specification, OAuth flow: clients take them from the metadata). */
export const endpoints = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  registration: '/oauth/register',
  revocation: '/oauth/revoke',
  jwks: '/oauth/jwks',
};

export const clientAuthMethods = ['none', 'client_secret_basic', 'client_secret_post'];

/**
 * The prefix at BASE_URL below which a cell serves requests for MCP_URL: the authorizations that the global entry
 * forwards, and the application records that other regions request.
 */
export const globalPrefix = '/global';
