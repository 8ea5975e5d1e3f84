import type { Answer } from '#errors';
import type { Caller } from '#access';
import type { Operation } from '#operations';
import type { Config } from '../app.config.js';
import type { Era } from './protocol.service.js';

/**
 * Adds the challenge to the refusal of an OAuth token that was not granted the operation's scope (RFC 6750, section
 * 3.1), so that the client can ask for it. Clients of the 2025 era ask for exactly the scopes of a challenge, and would
 * lose their refresh token without offline_access.
 */
export function withStepUp(answer: Answer, era: Era, operation: Operation, caller: Caller, { mcpUrl }: Config): Answer {
  const { scope } = operation;
  const { kind, scopes } = caller.credential;
  if (answer.status !== 403 || !scope || kind !== 'oauth' || scopes.has(scope)) return answer;
  const needed = era === 'legacy' ? `${scope} offline_access` : scope;
  const metadata = `${mcpUrl}/.well-known/oauth-protected-resource`;
  const challenge = `Bearer error="insufficient_scope", scope="${needed}", resource_metadata="${metadata}"`;
  return { ...answer, headers: { ...answer.headers, 'WWW-Authenticate': challenge } };
}
