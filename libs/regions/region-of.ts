import { readApiKey, type Region } from './credential.js';
import { readOAuthToken } from './oauth-token.js';

/** The region in an API key or OAuth token; undefined for an operator's own key and for other text. */
export const regionOf = (credential: string): Region | undefined =>
  readOAuthToken(credential)?.region ?? readApiKey(credential)?.region;
