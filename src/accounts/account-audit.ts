import { Injectable, Logger } from '@nestjs/common';

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

/** Where people's own doings are told; a person stands above the organizations, so the log keeps them. */
@Injectable()
export class AccountAudit {
  private readonly log = new Logger('accounts');

  /** Part of the current transaction, where there is one. */
  record(action: AccountAction, userId: string | undefined, details: Record<string, unknown> = {}): Promise<void> {
    this.log.warn({ action, userId, ...details }, 'An account event');
    return Promise.resolve();
  }
}
