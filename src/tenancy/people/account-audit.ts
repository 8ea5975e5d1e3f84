import { Injectable, Logger } from '@nestjs/common';
import { AuditService } from '../../platform/audit/audit.service.js';

export type AccountAction =
  | 'signed-in'
  | 'sign-in-failed'
  | 'signed-out-everywhere'
  | 'password-changed'
  | 'password-reset'
  | 'email-changed'
  | 'invitation-accepted'
  | 'second-factor-added'
  | 'second-factor-removed'
  | 'recovery-codes-renewed'
  | 'recovery-code-used';

/** What people do with their accounts, which stand above the organizations. */
@Injectable()
export class AccountAudit {
  private readonly log = new Logger('accounts');

  constructor(private readonly audit: AuditService) {}

  /**
   * Part of the current transaction, where there is one. Attempts at accounts that do not exist are only logged: anyone
   * can make them, as many as they like.
   */
  async record(action: AccountAction, userId: string | undefined, details?: Record<string, unknown>): Promise<void> {
    if (!userId) return this.log.warn({ action, ...details }, 'An account event');
    await this.audit.recordAbove({
      actor: { type: 'user', id: userId },
      action,
      target: { type: 'user', id: userId },
      details,
    });
  }
}
