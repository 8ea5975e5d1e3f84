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
 * What a cell serves in the name of MCP_URL, below this path at BASE_URL: the authorizations that the global entry sends
 * on, and the records of applications that other regions ask for.
 */
export const globalPrefix = '/global';
