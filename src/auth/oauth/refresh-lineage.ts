import { oauthTokenFrom, type Region } from '#regions';
import type { Keyring } from '#secrets';

/**
 * Derives the next refresh token from the current one. The result is always the same, so a client that repeats a
 * refresh after losing the response stays in the same lineage, and nothing readable has to be stored.
 */
export const successorOf = (refreshToken: string, keyring: Keyring, region: Region): string =>
  oauthTokenFrom('rt', region, keyring.hash(`successor of ${refreshToken}`));
