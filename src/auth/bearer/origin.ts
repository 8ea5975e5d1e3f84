import { shownAddress } from '#access';
import type { PresentedCredential } from '#context';

/** The origin of a request, as the last use of a credential shows it. */
export interface Origin {
  address: string | null;
  agent: string | null;
}

const longestAgent = 200;

export const originOf = ({ ip, agent }: PresentedCredential): Origin => ({
  address: shownAddress(ip),
  agent: agent?.trim().slice(0, longestAgent) || null,
});
