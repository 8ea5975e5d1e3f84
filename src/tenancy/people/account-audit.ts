import { Injectable, Logger } from '@nestjs/common';
import { AuditService } from '../../platform/audit/audit.service.js';

export type AccountAction =
  | 'signed-up'
  | 'account-deleted'
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

/** What people do with their accounts, which belong to no organization. */
@Injectable()
export class AccountAudit {
  private readonly log = new Logger('accounts');

  constructor(private readonly audit: AuditService) {}

  /**
   * Part of the current transaction, if there is one. Attempts on accounts that do not exist are only logged, because
   * anyone can make any number of them.
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
