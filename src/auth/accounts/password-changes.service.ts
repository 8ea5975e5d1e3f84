import type { Request } from 'express';
import { Injectable } from '@nestjs/common';
import { sourceOf } from '#limits';
import { uuidIn } from '#persistence';
import { SystemDatabase } from '#system-database';
import { traceOf } from '../../platform/audit/act.js';
import { MailService } from '../../platform/mail/mail.service.js';
import { AccessEndings, type EndedAccess, type Ending } from './access-endings.service.js';
import { AccountAudit } from '../../tenancy/people/account-audit.js';
import { passwordChangedMail } from './account-mail.js';
import { linkIsNoGood, refuseWeakPassword } from '../../tenancy/people/accounts.errors.js';
import { AttemptsService } from './attempts.service.js';
import { MailedLinksService } from '../../tenancy/people/mailed-links.service.js';
import { hashPassword } from '../../tenancy/people/passwords.js';
import { ResetLetters } from './reset-letters.service.js';
import type { SignedIn } from './session.js';

/** Changes a known password, or sets a new one by a mailed link. Either ends all access that the old one opened. */
@Injectable()
export class PasswordChangesService {
  constructor(
    private readonly database: SystemDatabase,
    private readonly letters: ResetLetters,
    private readonly endings: AccessEndings,
    private readonly attempts: AttemptsService,
    private readonly links: MailedLinksService,
    private readonly mail: MailService,
    private readonly audit: AccountAudit,
  ) {}

  /** @throws validation_error for a weak password. */
  async change(request: Request, { userId, email, sessionId }: SignedIn, password: string): Promise<EndedAccess> {
    refuseWeakPassword(password, email);
    const hashed = await hashPassword(password);
    const trace = traceOf(request.context);
    return await this.database.transaction(async () => {
      await this.audit.record('password-changed', userId);
      return await this.write({ userId, trace, keptSessionId: sessionId }, email, hashed);
    });
  }

  /**
   * Mails a link if the account exists. The lookup happens in the background, so the response takes the same work for
   * every address.
   *
   * @throws ServiceError 429 for too many requests for one address, or from one.
   */
  async requestReset(request: Request, email: string): Promise<void> {
    await this.database.transaction(async () => {
      await this.attempts.begin([
        ['mail', email],
        ['ip', sourceOf(request.ip)],
      ]);
      await this.letters.request(email);
    });
  }

  /** @throws not_found_error for an invalid link; validation_error for a weak password. */
  async reset(request: Request, token: string, password: string): Promise<EndedAccess> {
    const link = await this.links.peek('reset', token);
    if (!link) throw linkIsNoGood();
    refuseWeakPassword(password, link.email);
    const hashed = await hashPassword(password);
    const trace = traceOf(request.context);
    return await this.database.transaction(async () => {
      const { userId, email } = (await this.links.use('reset', token)) ?? {};
      if (!userId || !email) throw linkIsNoGood();
      await this.audit.record('password-reset', userId);
      return await this.write({ userId, trace }, email, hashed);
    });
  }

  /**
   * Ends reset links too: somebody who knew the old password, or read that mail, may have requested them. The person's
   * row is written before sessions and approvals end, so new ones have to wait for it.
   */
  private async write(ending: Ending, email: string, hashed: string): Promise<EndedAccess> {
    await this.letters.withdraw(email);
    const links = await this.links.endAll(['reset', 'email-change'], ending.userId);
    await this.database.rows('update users set password_hash = $2, updated_at = $3 where id = $1', [
      uuidIn(ending.userId),
      hashed,
      new Date().toISOString(),
    ]);
    const ended = { ...(await this.endings.endAll(ending)), links };
    await this.mail.queue(passwordChangedMail(email, ended));
    return ended;
  }
}
