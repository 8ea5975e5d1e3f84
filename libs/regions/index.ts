export * from './credential.js';
export * from './oauth-token.js';
