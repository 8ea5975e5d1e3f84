import { type Context, errors } from 'oidc-provider';
import type { Grant } from '../applications/grant.entity.js';
import type { NewToken, TokensRepository } from './tokens.repository.js';

/** What a token request has read and issued so far, while its transaction lasts. */
export interface Exchange {
  /** The approval, which nobody else can change. It may have ended; undefined for an unknown code or token. */
  readonly lockedGrant: Grant | undefined;
  /** Stored together at the end. */
  readonly issued: NewToken[];
}

export const exchangeIn = ({ state }: Context): Exchange | undefined => state.exchange as Exchange | undefined;

export function beginExchange({ state }: Context, lockedGrant: Grant | undefined): Exchange {
  const exchange: Exchange = { lockedGrant, issued: [] };
  state.exchange = exchange;
  return exchange;
}

/** @throws InvalidGrant if the approval has ended. */
export async function issue(store: TokensRepository, grantId: string, tokens: readonly NewToken[]): Promise<void> {
  if (!(await store.insert(grantId, tokens))) throw new errors.InvalidGrant('the approval has ended');
}
