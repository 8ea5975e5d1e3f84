import { createHash } from 'node:crypto';
import { oauthTokenFrom, type Region } from '#regions';
import type { Keyring } from '#secrets';

/** Tokens have 256 random bits, so a plain hash reveals nothing about them. */
export const hashOf = (value: string): Buffer => createHash('sha256').update(value).digest();

/**
 * Derives the next refresh token from the current one. The result is always the same, so a client that repeats a
 * refresh after losing the response stays in the same lineage, and nothing readable has to be stored.
 */
export const successorOf = (refreshToken: string, keyring: Keyring, region: Region): string =>
  oauthTokenFrom('rt', region, keyring.hash(`successor of ${refreshToken}`));
