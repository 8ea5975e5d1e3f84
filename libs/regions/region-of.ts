import { readApiKey, type Region } from './credential.js';
import { readOAuthToken } from './oauth-token.js';

/** The region that an API key or OAuth token names; undefined for an operator's own key and for what is none of ours. */
export const regionOf = (credential: string): Region | undefined =>
  readOAuthToken(credential)?.region ?? readApiKey(credential)?.region;
