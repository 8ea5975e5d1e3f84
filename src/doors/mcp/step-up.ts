import type { Answer } from '#errors';
import type { Operation } from '#operations';
import type { Config } from '../../platform/config/app.config.js';
import { scopeChallenge } from '../../edge/guards/challenge.js';
import type { Era } from './protocol.service.js';

const header = 'WWW-Authenticate';

/**
 * The rejection of an OAuth token without the operation's scope, as its era expects it: clients of 2026-07-28 add the
 * scope of a challenge to those they requested before, so they receive only that one; those of 2025 request exactly the
 * scopes in the challenge.
 */
export function inTheEra(era: Era, answer: Answer, { scope = '' }: Operation, config: Config): Answer {
  if (era === 'legacy' || !(header in answer.headers)) return answer;
  return { ...answer, headers: { ...answer.headers, [header]: scopeChallenge(config, [scope], '/mcp') } };
}
