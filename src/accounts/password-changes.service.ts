import type { Request } from 'express';
import { Inject, Injectable } from '@nestjs/common';
import { sourceOf } from '#limits';
import { uuidIn } from '#persistence';
import { SystemDatabase } from '#system-database';
import type { Config } from '../app.config.js';
import { CONFIG } from '../app.config.js';
import { MailService } from '../mail/mail.service.js';
import { pathWith } from '../pages/see-other.js';
import { AccountAudit } from './account-audit.js';
import { passwordChangedMail, resetMail } from './account-mail.js';
import { linkIsNoGood, refuseWeakPassword } from './accounts.errors.js';
import { AttemptsService } from './attempts.service.js';
import { MailedLinksService } from './mailed-links.service.js';
import { hashPassword } from './passwords.js';
import type { SignedIn } from './session.js';
import { SessionsService } from './sessions.service.js';
import { UsersService } from './users.service.js';

/** Changing a password that is known, and setting one anew by a mailed link. Either ends the other sessions. */
@Injectable()
export class PasswordChangesService {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly database: SystemDatabase,
    private readonly users: UsersService,
    private readonly sessions: SessionsService,
    private readonly attempts: AttemptsService,
    private readonly links: MailedLinksService,
    private readonly mail: MailService,
    private readonly audit: AccountAudit,
  ) {}

  /** @throws validation_error for a weak password. */
  async change({ userId, email, sessionId }: SignedIn, password: string): Promise<void> {
    refuseWeakPassword(password, email);
    const hashed = await hashPassword(password);
    await this.database.transaction(async () => {
      await this.write(userId, hashed);
      await this.sessions.endAll(userId, sessionId);
      await this.mail.queue(passwordChangedMail(email));
    });
    await this.audit.record('password-changed', userId);
  }

  /**
   * Mails a link, if there is such an account. The attempt is counted in the same transaction, so that either way
   * something is written and the time it takes tells nothing.
   *
   * @throws ServiceError 429 for too many requests for one address, or from one.
   */
  async requestReset(request: Request, email: string): Promise<void> {
    await this.database.transaction(async () => {
      await this.attempts.begin([
        ['mail', email],
        ['ip', sourceOf(request.ip)],
      ]);
      const user = await this.users.findByEmail(email);
      if (!user) return;
      const token = await this.links.create('reset', { userId: user.id, email: user.email });
      await this.mail.queue(resetMail(user.email, this.config.baseUrl + pathWith('/reset-password', { token })));
    });
  }

  /** @throws not_found_error for a link that is no good; validation_error for a weak password. */
  async reset(token: string, password: string): Promise<void> {
    const link = await this.links.peek('reset', token);
    if (!link) throw linkIsNoGood();
    refuseWeakPassword(password, link.email);
    const hashed = await hashPassword(password);
    await this.database.transaction(async () => {
      const { userId, email } = (await this.links.use('reset', token)) ?? {};
      if (!userId || !email) throw linkIsNoGood();
      await this.write(userId, hashed);
      await this.sessions.endAll(userId);
      await this.mail.queue(passwordChangedMail(email));
      await this.audit.record('password-reset', userId);
    });
  }

  /** Links end too: whoever knew the old password, or read that mail, may have asked for them. */
  private async write(userId: string, hashed: string): Promise<void> {
    await this.links.endAll(['reset', 'email-change'], userId);
    await this.database.rows('update users set password_hash = $2, updated_at = $3 where id = $1', [
      uuidIn(userId),
      hashed,
      new Date().toISOString(),
    ]);
  }
}
