import { createHash } from 'node:crypto';
import { oauthTokenFrom, type Region } from '#regions';
import type { Keyring } from '#secrets';

/** Tokens hold 256 random bits, so that a plain hash of one gives nothing away. */
export const hashOf = (value: string): Buffer => createHash('sha256').update(value).digest();

/**
 * The refresh token that follows another one: the same each time it is asked for, so that a client which repeats a
 * refresh whose answer was lost is given the same lineage again, and nothing readable needs to be kept for it.
 */
export const successorOf = (refreshToken: string, keyring: Keyring, region: Region): string =>
  oauthTokenFrom('rt', region, keyring.hash(`successor of ${refreshToken}`));
