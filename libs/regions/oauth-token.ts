import { randomBase62, inBase62, type Region } from './credential.js';

/** at: access token; rt: refresh token; ac: authorization code. */
export type OAuthTokenKind = 'at' | 'rt' | 'ac';

const digits = 43;

/** `at_us_` + 43 random base62 digits (256 bits); the region is readable so that any cell can tell whose it is. */
export const newOAuthToken = (kind: OAuthTokenKind, region: Region): string => `${kind}_${region}_${randomBase62()}`;

/** The token that follows from 32 secret bytes: the same each time. */
export const oauthTokenFrom = (kind: OAuthTokenKind, region: Region, bytes: Buffer): string =>
  `${kind}_${region}_${inBase62(BigInt(`0x${bytes.toString('hex')}`), digits)}`;

const shape = /^(at|rt|ac)_(us|eu|apac)_[0-9A-Za-z]{43}$/;

/** What a token reveals without a look-up; undefined if it is not one of ours. */
export function readOAuthToken(token: string): { kind: OAuthTokenKind; region: Region } | undefined {
  const [, kind, region] = shape.exec(token) ?? [];
  return kind ? { kind: kind as OAuthTokenKind, region: region as Region } : undefined;
}
