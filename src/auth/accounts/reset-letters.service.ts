import { Inject, Injectable } from '@nestjs/common';
import { SystemDatabase } from '#system-database';
import type { Config } from '../../platform/config/app.config.js';
import { CONFIG } from '../../platform/config/app.config.js';
import { type Letter, MailAuthor, MailAuthors } from '../../platform/mail/mail-authors.js';
import { MailService } from '../../platform/mail/mail.service.js';
import { pathWith } from '../../platform/pages/see-other.js';
import { resetMail } from './account-mail.js';
import { MailedLinksService } from '../../tenancy/people/mailed-links.service.js';
import { UsersService } from '../../tenancy/people/users.service.js';

/**
 * Letters for people who forgot their password. Whether the address has an account is looked up when the letter is
 * sent, so a request takes the same work either way.
 */
@Injectable()
export class ResetLetters extends MailAuthor {
  readonly name = 'password-reset';

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly database: SystemDatabase,
    private readonly users: UsersService,
    private readonly links: MailedLinksService,
    private readonly mail: MailService,
    authors: MailAuthors,
  ) {
    super();
    authors.register(this);
  }

  /** Part of the current transaction. */
  async request(email: string): Promise<void> {
    await this.mail.queueFor(null, this, email);
  }

  /** Runs in the current transaction. Discards the letters that have not been written yet. */
  async withdraw(email: string): Promise<void> {
    await this.database.rows(
      `update mails set status = 'failed', settled_at = $3, last_error = 'Withdrawn'
        where author = $1 and lower(reference) = lower($2) and status = 'waiting'`,
      [this.name, email, new Date().toISOString()],
    );
  }

  async write(email: string): Promise<Letter | undefined> {
    const user = await this.users.findByEmail(email);
    if (!user) return undefined;
    const to = user.email;
    const token = await this.database.transaction(() => this.links.create('reset', { userId: user.id, email: to }));
    return resetMail(to, this.config.baseUrl + pathWith('/reset-password', { token }));
  }

  settled(): Promise<void> {
    return Promise.resolve();
  }
}
