import type { Request } from 'express';
import { Inject, Injectable } from '@nestjs/common';
import { conflict, invalidField } from '#errors';
import { sourceOf } from '#limits';
import { isEmail } from '#operations';
import { RowImages, uuidIn, violates } from '#persistence';
import { SystemDatabase } from '#system-database';
import { type Config, CONFIG } from '../../platform/config/app.config.js';
import { EventsService } from '../../platform/events/events.service.js';
import { MailService } from '../../platform/mail/mail.service.js';
import { Member } from '../../tenancy/members/member.entity.js';
import { isMemberTwice } from '../../tenancy/members/members.repository.js';
import { memberUpdated } from '../../tenancy/members/members.events.js';
import { pathWith } from '../../platform/pages/see-other.js';
import { AccountAudit } from '../../tenancy/people/account-audit.js';
import { confirmEmailMail, emailChangedMail } from './account-mail.js';
import { linkIsNoGood } from '../../tenancy/people/accounts.errors.js';
import { AttemptsService } from './attempts.service.js';
import { InvitationsService } from '../../tenancy/members/invitations.service.js';
import { MailedLinksService } from '../../tenancy/people/mailed-links.service.js';
import type { SignedIn } from './session.js';
import { UsersService } from '../../tenancy/people/users.service.js';

/** A new address takes effect when the link mailed to it has been opened and confirmed. */
@Injectable()
export class EmailChangesService {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly database: SystemDatabase,
    private readonly users: UsersService,
    private readonly attempts: AttemptsService,
    private readonly invitations: InvitationsService,
    private readonly links: MailedLinksService,
    private readonly mail: MailService,
    private readonly audit: AccountAudit,
    private readonly events: EventsService,
  ) {}

  /** Mails a link to the new address, unless it has an account; the page says the same either way. */
  async request(request: Request, { userId }: SignedIn, email: string): Promise<void> {
    if (!isEmail(email)) throw invalidField(['email'], 'Enter an email address such as maria@example.com.');
    await this.database.transaction(async () => {
      await this.attempts.begin([
        ['mail', email],
        ['ip', sourceOf(request.ip)],
      ]);
      if (await this.users.findByEmail(email)) return;
      await this.links.endAll(['email-change'], userId);
      const token = await this.links.create('email-change', { userId, email });
      await this.mail.queue(confirmEmailMail(email, this.config.baseUrl + pathWith('/confirm-email', { token })));
    });
  }

  /** @throws not_found_error for an invalid link; conflict_error if the address was taken since. */
  async confirm(token: string): Promise<void> {
    try {
      await this.database.transaction(() => this.apply(token));
    } catch (error) {
      if (violates(error, 'users_email'))
        throw conflict('EMAIL_TAKEN', 'This address cannot be used. Enter another one.');
      if (isMemberTwice(error)) throw conflict('EMAIL_INVITED', 'This address was just invited. Open the link again.');
      throw error;
    }
  }

  private async apply(token: string): Promise<void> {
    const { userId, email } = (await this.links.use('email-change', token)) ?? {};
    if (!userId || !email) throw linkIsNoGood();
    const now = new Date().toISOString();
    const [old] = await this.database.rows('select email from users where id = $1 for no key update', [uuidIn(userId)]);
    await this.database.rows('update users set email = $2, updated_at = $3 where id = $1', [
      uuidIn(userId),
      email,
      now,
    ]);
    await this.invitations.withdraw(userId, email);
    const images = new RowImages(this.database.dataSource, Member);
    const rows = await this.database.rows(
      `update members set email = $2, version = version + 1, updated_at = $3 where user_id = $1
       returning ${images.columns}`,
      [uuidIn(userId), email, now],
    );
    for (const { before, after } of images.read(rows))
      await this.events.recordAbove({ type: 'member', id: after.id }, memberUpdated, after, before);
    await this.links.endAll(['reset'], userId);
    await this.mail.queue(emailChangedMail(old?.email as string, email));
    await this.audit.record('email-changed', userId);
  }
}
