import type { Request } from 'express';
import { shownAddress } from '#access';

/** Where a request comes from, as last use shows it. */
export interface Origin {
  /** What TRUSTED_PROXIES makes of the connection's address and X-Forwarded-For. */
  address: string | null;
  /** What the client calls itself (User-Agent). */
  agent: string | null;
}

export const unknownOrigin: Origin = { address: null, agent: null };

const longestAgent = 200;

export const originOf = ({ ip, headers }: Request): Origin => ({
  address: shownAddress(ip),
  agent: headers['user-agent']?.trim().slice(0, longestAgent) || null,
});
