import type { Caller, RequestCredential } from '#access';
import type { ActorCredential } from '../callers/act.dto.js';
import type { AuditActor } from './audit-entry.dto.js';

/** An action, its actor and its credential. */
export interface Act {
  /** The operation's name. */
  action: string;
  actor: AuditActor;
  credential?: ActorCredential | null;
  /** The person that an application acts for. */
  onBehalfOf?: string | null;
  requestId?: string | null;
  /** The service's own id of the request. */
  logId?: string;
  /** The entries that the act undoes, by the ids of their records; kept as JSON with what it leaves for the background. */
  undoes?: Readonly<Record<string, string>>;
  /** The approval by which a person let it happen, or that it decided about. */
  approvalId?: string;
}

/** The request that did something. */
export type Trace = Pick<Act, 'requestId' | 'logId'>;

export const traceOf = (request: { requestId: string; logId: string } | undefined): Trace =>
  request ? { requestId: request.requestId, logId: request.logId } : {};

/** The change of one record: without anything that identifies a guest, and without secrets. */
export interface AuditChange {
  target: { type: string; id: string };
  propertyId?: string | null;
  before?: object | null;
  after?: object | null;
}

/** An action outside of an organization, with short details. */
export interface SecurityEvent extends Pick<Act, 'action' | 'actor' | 'requestId' | 'logId'> {
  target: AuditChange['target'];
  details?: object;
}

/** The act of a caller, as the trail names it. */
export function actOf(caller: Caller, action: string): Act {
  const { memberId, userId, credential, requestId, logId, approvalId } = caller;
  if (credential.kind === 'operator' || credential.kind === 'service') {
    return { action, actor: { type: credential.kind } };
  }
  return {
    action,
    actor: { type: 'member', id: memberId },
    credential: credentialOf(credential),
    onBehalfOf: userId,
    requestId,
    ...(logId && { logId }),
    ...(approvalId && { approvalId }),
  };
}

export const credentialOf = (credential: RequestCredential): ActorCredential => ({
  kind: credential.kind,
  id: credential.id,
  ...(credential.kind === 'oauth' && { clientId: credential.clientId }),
  ...(credential.kind === 'workflow' && { runId: credential.runId }),
});
