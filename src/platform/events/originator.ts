import { type Caller, isMember } from '#access';
import { credentialOf } from '../audit/act.js';
import type { Actor } from '../callers/act.dto.js';

/** Who caused an event: a member through a credential, or the service in one of its organizations. */
export type Originator = Caller | { readonly orgId: string };

export const isService = (by: Originator): by is Exclude<Originator, Caller> =>
  !('credential' in by) || by.credential.kind === 'service';

/** Events do not name operators: what an operator does at the command line is shown as done by the service. */
export function actorOf(by: Originator): Actor {
  if (!('credential' in by) || !isMember(by)) return { type: 'service' };
  return { type: 'member', id: by.memberId, credential: credentialOf(by.credential) };
}
