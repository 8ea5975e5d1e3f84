import type { CodeAnswer } from '../providers/device-answers.js';
import type { CodeFailure } from '../../../devices/access-codes/access-code.dto.js';
import type { AccessCode } from './access-code.entity.js';
import { ended } from './code-plan.js';

const firstRestMs = 5_000;
const longestRestMs = 15 * 60_000;

/** What the provider is asked in vain, it is asked less and less often. */
const later = ({ failures }: AccessCode): Partial<AccessCode> => ({
  failures: failures + 1,
  dueAt: new Date(Date.now() + Math.min(firstRestMs * 2 ** Math.min(failures, 20), longestRestMs)).toISOString(),
});

/**
 * What a code becomes by the answer to setting it; pure. It is tried until it ends, unless the provider refuses it for
 * good; what the device may have of it is taken back then.
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

/** The same for removing it, which is tried until it is gone: it opens a door. */
export const afterRemoving = (code: AccessCode, { outcome }: Pick<CodeAnswer, 'outcome'>): Partial<AccessCode> =>
  outcome === 'confirmed'
    ? { status: code.failedBecause ? 'failed' : 'removed', providerRef: null, asked: false, dueAt: null }
    : later(code);
