import type { Request } from 'express';
import { shownAddress } from '#access';

/** The origin of a request, as the last use of a credential shows it. */
export interface Origin {
  /** The client's address, derived from the connection and X-Forwarded-For according to TRUSTED_PROXIES. */
  address: string | null;
  /** The client's User-Agent. */
  agent: string | null;
}

/** Called only when a last use is written. */
export type From = () => Origin;

export const unknownOrigin: From = () => ({ address: null, agent: null });

const longestAgent = 200;

export const originOf = ({ ip, headers }: Request): Origin => ({
  address: shownAddress(ip),
  agent: headers['user-agent']?.trim().slice(0, longestAgent) || null,
});
