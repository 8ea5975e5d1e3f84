export * from './application-id.js';
export * from './credential.js';
export * from './oauth-token.js';
export * from './region-of.js';
