import { doubling, inFuture } from '#jobs';
import type { CodeAnswer } from '../providers/device-answers.js';
import type { CodeFailure } from './access-code.dto.js';
import type { AccessCode } from './access-code.entity.js';
import { ended } from './code-plan.js';

/** The growing delays between failed attempts. */
const restAfter = doubling(5_000, 15 * 60_000);

const later = ({ failures }: AccessCode): Partial<AccessCode> => ({
  failures: failures + 1,
  dueAt: inFuture(restAfter(failures + 1)),
});

/**
 * The new state of a code after the answer to setting it; pure. Setting is retried until the code ends, unless the
 * provider rejects it permanently; what the device may have of it is then removed.
 */
export function afterSetting(code: AccessCode, answer: CodeAnswer): Partial<AccessCode> {
  switch (answer.outcome) {
    case 'confirmed':
      return { status: 'set', providerRef: answer.providerRef, asked: false, failures: 0, dueAt: code.endsAt };
    case 'accepted':
      return { ...later(code), providerRef: answer.providerRef };
    case 'unknown':
      return later(code);
    case 'unreachable':
      return { ...later(code), asked: false };
    case 'refused': {
      if (answer.retryable) return { ...later(code), asked: false };
      const because = reasons[answer.reason ?? 'not-allowed'];
      const isNowhere = code.providerRef === null;
      return { ...(isNowhere ? failed(because) : ended(code, because)), asked: false };
    }
  }
}

const failed = (failedBecause: CodeFailure): Partial<AccessCode> => ({ status: 'failed', failedBecause, dueAt: null });

const reasons = { duplicate: 'clash', 'no-free-slot': 'no_free_slot', 'not-allowed': 'refused' } as const;

/** The same for its removal, which is retried until it succeeds, because the code opens a door. */
export const afterRemoving = (code: AccessCode, { outcome }: Pick<CodeAnswer, 'outcome'>): Partial<AccessCode> =>
  outcome === 'confirmed'
    ? { status: code.failedBecause ? 'failed' : 'removed', providerRef: null, asked: false, dueAt: null }
    : later(code);
