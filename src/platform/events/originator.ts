import { type Caller, isMember } from '#access';
import { credentialOf } from '../audit/act.js';
import type { Actor } from '../callers/act.dto.js';

/** Who caused an event: a member through a credential, or the service in one of its organizations. */
export type Originator = Caller | { readonly orgId: string };

export const isService = (by: Originator): by is Exclude<Originator, Caller> =>
  !('credential' in by) || by.credential.kind === 'service';

/** Events name no operators: what one does at the command line, the service does. */
export function actorOf(by: Originator): Actor {
  if (!('credential' in by) || !isMember(by)) return { type: 'service' };
  return { type: 'member', id: by.memberId, credential: credentialOf(by.credential) };
}
